#include "adapters/simulated/kinematic_specimen.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

namespace trestle::simulated::kinematic_specimen_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;

Eigen::MatrixXd stiffness() {
  return Eigen::MatrixXd{{7.0, 2.0, 1.0, 0.5},
                         {2.0, 6.0, 0.3, 1.0},
                         {1.0, 0.3, 5.0, 0.7},
                         {0.5, 1.0, 0.7, 4.0}};
}
Eigen::MatrixXd damping() {
  return 1e-3 * stiffness() + 0.02 * Eigen::MatrixXd::Identity(4, 4);
}
Eigen::MatrixXd mass() {
  return Eigen::Vector4d(0.4, 0.3, 0.2, 0.1).asDiagonal();
}

/// Two controlled DOFs, one force-only, one inner.
KinematicSpecimen specimen() {
  KinematicSpecimen made({.stiffness = stiffness(),
                          .damping = damping(),
                          .mass = mass(),
                          .controlled = 2,
                          .force_only = 1});
  made.prepare(kTick);
  return made;
}

InterfaceVector moved(double x, double y) {
  return InterfaceVector{{x, y, 99.0}};  // the input at a force-only DOF is ignored
}
const InterfaceVector kIgnored = InterfaceVector::Constant(3, -77.0);

/// z of all four DOFs.
Eigen::Vector4d whole(double x, double y) {
  Eigen::Vector4d z;
  z.head(2) << x, y;
  const Eigen::Matrix4d K = stiffness();
  z.tail<2>() =
      -K.bottomRightCorner<2, 2>().inverse() * K.bottomLeftCorner<2, 2>() * z.head<2>();
  return z;
}

TEST(KinematicSpecimen, RatesAreBackwardDifferencesThatBeginWithTheFirstRead) {
  KinematicSpecimen bay = specimen();
  const Eigen::Vector4d z0 = whole(1e-5, -2e-5);
  const Eigen::Vector4d z1 = whole(3e-5, 1e-5);
  const Eigen::Vector4d z2 = whole(2e-5, 4e-5);
  const auto near = [](const InterfaceVector& force, const Eigen::Vector4d& expected) {
    ASSERT_EQ(force.size(), 3);
    // A few roundings of the largest term, M w.
    EXPECT_NEAR((force - expected.head(3)).norm(), 0.0, 1e-12);
  };
  near(bay.advance(moved(1e-5, -2e-5), kIgnored, kIgnored), stiffness() * z0);
  const Eigen::Vector4d v1 = (z1 - z0) / kTick;
  const Eigen::Vector4d w1 = v1 / kTick;
  near(bay.advance(moved(3e-5, 1e-5), kIgnored, kIgnored),
       stiffness() * z1 + damping() * v1 + mass() * w1);
  const Eigen::Vector4d v2 = (z2 - z1) / kTick;
  const Eigen::Vector4d w2 = (v2 - v1) / kTick;
  near(bay.advance(moved(2e-5, 4e-5), kIgnored, kIgnored),
       stiffness() * z2 + damping() * v2 + mass() * w2);
}

TEST(KinematicSpecimen, AtRestTheForceOnlyDofsFeelNothing) {
  KinematicSpecimen bay = specimen();
  const InterfaceVector force = bay.advance(moved(1e-3, -2e-3), kIgnored, kIgnored);
  EXPECT_NEAR(force(2), 0.0, 1e-17);
  const Eigen::MatrixXd felt = bay.initial_stiffness();
  EXPECT_NEAR(
      (force.head(2) - felt.topLeftCorner(2, 2) * Eigen::Vector2d(1e-3, -2e-3)).norm(), 0.0,
      1e-17);
  EXPECT_TRUE(felt.row(2).isZero(0.0));
  EXPECT_TRUE(felt.col(2).isZero(0.0));
  EXPECT_EQ(felt, felt.transpose());
}

TEST(KinematicSpecimen, GoesOnFromASnapshotBitForBit) {
  KinematicSpecimen original = specimen();
  KinematicSpecimen copy = specimen();
  for (int n = 0; n < 5; ++n)
    original.advance(moved(1e-5 * n * n, 0.0), kIgnored, kIgnored);
  SnapshotWriter writer;
  original.save(writer);
  SnapshotReader reader(writer.values());
  copy.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(original.advance(moved(3e-5, 1e-5), kIgnored, kIgnored),
            copy.advance(moved(3e-5, 1e-5), kIgnored, kIgnored));
}

/// The bay of a published two-actuator benchmark (Condori Uribe et al. 2023).
Eigen::MatrixXd published_bay() {
  const double length = 0.64135;
  const double EI = 200e9 * 0.7 * 2.520 * std::pow(0.0254, 4);
  const double EIb = 200e9 * 4.21372e-7;
  const double c12 = 12.0 * EI / std::pow(length, 3);
  const double c6 = 6.0 * EI / (length * length);
  const double c4 = 4.0 * EI / length;
  const double c2 = 2.0 * EI / length;
  const double b4 = 4.0 * EIb / 0.762;
  const double b2 = 2.0 * EIb / 0.762;
  return Eigen::MatrixXd{{2.0 * c12, c6, c6, c6, c6},
                         {c6, c4 + b4, b2, 0.0, c2},
                         {c6, b2, c4 + b4, c2, 0.0},
                         {c6, 0.0, c2, c4, 0.0},
                         {c6, c2, 0.0, 0.0, c4}};
}

TEST(KinematicSpecimen, CondensesAPublishedBayAsPublished) {
  const Eigen::MatrixXd K = published_bay();
  KinematicSpecimen bay({.stiffness = K,
                         .damping = Eigen::MatrixXd::Zero(5, 5),
                         .mass = Eigen::MatrixXd::Identity(5, 5),
                         .controlled = 2,
                         .force_only = 3});
  bay.prepare(1.0);
  // Unit masses and ticks of a second: from rest to z, M w is z itself.
  Eigen::MatrixXd follow(3, 2);
  for (int column = 0; column < 2; ++column) {
    bay.prepare(1.0);
    const InterfaceVector none = InterfaceVector::Zero(5);
    InterfaceVector z = none;
    bay.advance(none, none, none);
    const double size = 1e6;
    z(column) = size;
    const InterfaceVector force = bay.advance(z, none, none);
    follow.col(column) = force.tail(3) / size;
  }
  const Eigen::MatrixXd published{
      {-0.94840363, -0.19587067}, {-1.86461474, 0.09793533}, {-2.33881656, -0.5}};
  // Half of the last published digit, and the rounding of K z against z, 1e7 to 1.
  EXPECT_NEAR((follow - published).cwiseAbs().maxCoeff(), 0.0, 6e-9);
}

}  // namespace
}  // namespace trestle::simulated::kinematic_specimen_test
