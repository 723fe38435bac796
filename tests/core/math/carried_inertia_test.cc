#include "core/math/carried_inertia.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace trestle::math::carried_inertia_test {
namespace {

InterfaceVector of(double one, double other) {
  InterfaceVector vector(2);
  vector << one, other;
  return vector;
}

Eigen::Matrix2d mass() {
  Eigen::Matrix2d matrix;
  matrix << 8.0, 1.0, 1.0, 2.0;
  return matrix;
}

TEST(CarriedInertia, IsThatOfTheSecondDifference) {
  CarriedInertia inertia(mass(), 0.5, 2);
  inertia.begin(of(1.0, 0.0));
  inertia.pass(of(1.0, 0.0));
  InterfaceVector force = of(100.0, 10.0);
  inertia.take_out(force);
  EXPECT_EQ(force, of(100.0, 10.0));
  inertia.pass(of(2.0, -1.0));  // (2 − 2·1 + 1)/0.25 and (−1)/0.25
  inertia.take_out(force);
  EXPECT_EQ(force, of(100.0 - (8.0 * 4.0 - 4.0), 10.0 - (4.0 - 2.0 * 4.0)));
  inertia.pass(of(3.0, -2.0));  // on at the same speed
  EXPECT_EQ(inertia.acceleration(), of(0.0, 0.0));
}

// As the ideal simulated rig that is held: a stop within a tick is no blow.
TEST(CarriedInertia, OfAPathThatStandsIsNone) {
  CarriedInertia inertia(mass(), 0.5, 2);
  inertia.begin(of(1.0, 0.0));
  inertia.pass(of(2.0, -1.0));
  inertia.pass(of(2.0, -1.0));
  EXPECT_EQ(inertia.acceleration(), of(0.0, 0.0));
  inertia.pass(of(3.0, -1.0));  // from rest again
  EXPECT_EQ(inertia.acceleration(), of(4.0, 0.0));
}

TEST(CarriedInertia, OfDofsThatStandStillIsThatOfTheOthers) {
  CarriedInertia inertia(mass(), 1.0, 1);
  inertia.pass(InterfaceVector::Constant(1, 3.0));
  InterfaceVector force = of(0.0, 0.0);
  inertia.take_out(force);
  EXPECT_EQ(force, of(-24.0, -3.0));
}

TEST(CarriedInertia, LeapsWithoutAJump) {
  CarriedInertia inertia(mass(), 0.5, 2);
  inertia.leap(of(10.0, 0.0), of(2.0, 0.0), of(0.25, 0.0));
  EXPECT_EQ(inertia.acceleration(), of(0.25, 0.0));
  inertia.pass(of(11.0, 0.0));
  EXPECT_EQ(inertia.acceleration(), of(0.0, 0.0));
}

TEST(CarriedInertia, GoesOnFromItsSnapshot) {
  CarriedInertia inertia(mass(), 0.5, 2);
  inertia.pass(of(1.0, 0.0));
  inertia.pass(of(3.0, 1.0));
  SnapshotWriter kept;
  inertia.save(kept);
  CarriedInertia again(mass(), 0.5, 2);
  SnapshotReader reader(kept.values());
  again.restore(reader);
  EXPECT_TRUE(reader.at_end());
  inertia.pass(of(4.0, 1.0));
  again.pass(of(4.0, 1.0));
  EXPECT_EQ(again.acceleration(), inertia.acceleration());
}

TEST(CarriedInertia, IsThatOfTheAccelerometersWhereTheyMeasureIt) {
  CarriedInertia inertia(mass(), 0.5, 2, true);
  const std::vector<double> read{4.0, -4.0};
  EXPECT_TRUE(inertia.measure(read));
  inertia.begin(of(1.0, 0.0));
  inertia.pass(of(7.0, 7.0));
  inertia.leap(of(9.0, 9.0), of(1.0, 1.0), of(1.0, 1.0));
  InterfaceVector force = of(100.0, 10.0);
  inertia.take_out(force);
  EXPECT_EQ(force, of(100.0 - (8.0 * 4.0 - 4.0), 10.0 - (4.0 - 2.0 * 4.0)));
  EXPECT_FALSE(inertia.measure({read.data(), 1})) << "one is missing";
  const std::vector<double> none{4.0, std::nan("")};
  EXPECT_FALSE(inertia.measure(none));
  CarriedInertia by_path(mass(), 0.5, 2);
  EXPECT_TRUE(by_path.measure({})) << "the path tells";
}

TEST(CarriedInertia, OfNoMassIsNone) {
  EXPECT_TRUE(CarriedInertia().none());
  EXPECT_TRUE(CarriedInertia(Eigen::Matrix2d::Zero(), 0.5, 2).none());
  InterfaceVector force = of(1.0, 2.0);
  CarriedInertia().take_out(force);
  EXPECT_EQ(force, of(1.0, 2.0));
  SnapshotWriter kept;
  CarriedInertia().save(kept);
  EXPECT_TRUE(kept.values().empty());
}

}  // namespace
}  // namespace trestle::math::carried_inertia_test
