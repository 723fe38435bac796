#include "adapters/simulated/simulated_rig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/bouc_wen_hinge.h"
#include "adapters/simulated/column_specimen.h"
#include "adapters/simulated/independent_actuators.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/linear_specimen.h"
#include "adapters/simulated/pure_delay.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle::simulated::simulated_rig_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;
constexpr Duration kPeriod{976562};

TimePoint tick(int n) {
  return TimePoint(n * kPeriod);
}

std::unique_ptr<ActuatorModel> ideal(int actuators) {
  std::vector<std::unique_ptr<ActuatorModel>> models;
  for (int i = 0; i < actuators; ++i)
    models.push_back(std::make_unique<PureDelay>(PureDelaySettings{}));
  return std::make_unique<IndependentActuators>(std::move(models));
}

Eigen::MatrixXd stiffness() {
  Eigen::Matrix2d K;
  K << 4.0, 1.0, 1.0, 3.0;
  return K;
}

std::unique_ptr<SpecimenModel> linear() {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(2, 2);
  return std::make_unique<LinearSpecimen>(stiffness(), none, none);
}

SimulatedRig ideal_rig(const Eigen::MatrixXd& T) {
  SimulatedRig rig("west", {}, ideal(static_cast<int>(T.rows())), linear(),
                   std::make_unique<kinematics::MatrixFrame>(T), {});
  rig.prepare({.tick = kTick, .seed = 7});
  return rig;
}

Measurement read(SiteAdapter& rig, int n) {
  Measurement sensed;
  rig.read(tick(n), sensed);
  return sensed;
}

TEST(SimulatedRig, BeginsAtRestAndAnswersADriveWithTheNextRead) {
  SimulatedRig rig = ideal_rig(Eigen::Matrix2d::Identity());
  const Measurement rest = read(rig, 0);
  EXPECT_TRUE(rest.displacement.isZero(0.0));
  EXPECT_TRUE(rest.force.isZero(0.0));
  const Eigen::Vector2d drive(0.1, -0.2);
  rig.write(drive);
  const Measurement sensed = read(rig, 1);
  EXPECT_EQ(sensed.displacement, drive);
  EXPECT_EQ(sensed.force, stiffness() * drive);
}

TEST(SimulatedRig, MovesByReadsAndNotByTime) {
  SimulatedRig rig(
      "west", {}, std::make_unique<LinearActuators>(first_order_lag(5.0, 1.0)),
      std::make_unique<LinearSpecimen>(Eigen::MatrixXd::Ones(1, 1),
                                       Eigen::MatrixXd::Zero(1, 1),
                                       Eigen::MatrixXd::Zero(1, 1)),
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1)), {});
  rig.prepare({.tick = kTick, .seed = 7});
  read(rig, 0);
  rig.write(ActuatorVector::Ones(1));
  const double exact = 1.0 - std::exp(-2.0 * M_PI * 5.0 * kTick);
  EXPECT_NEAR(read(rig, 5000).displacement(0), exact, 1e-15);  // much later, one read
}

TEST(SimulatedRig, HoldKeepsTheLastDrive) {
  SimulatedRig rig = ideal_rig(Eigen::Matrix2d::Identity());
  read(rig, 0);
  rig.write(Eigen::Vector2d(0.1, -0.2));
  rig.hold();
  read(rig, 1);
  EXPECT_EQ(read(rig, 2).displacement, Eigen::Vector2d(0.1, -0.2));
}

TEST(SimulatedRig, TheLoadingFrameDoesTheSameWorkOnBothSides) {
  Eigen::Matrix2d T;
  T << 1.0, 0.4, 1.0, -0.6;
  SimulatedRig rig = ideal_rig(T);
  read(rig, 0);
  const Eigen::Vector2d d(0.02, -0.01);
  rig.write(T * d);
  const Measurement sensed = read(rig, 1);
  EXPECT_TRUE((T.transpose() * sensed.force).isApprox(stiffness() * d, 1e-14));
  EXPECT_NEAR(sensed.force.dot(sensed.displacement), d.dot(stiffness() * d), 1e-16);
}

TEST(SimulatedRig, MoreActuatorsThanDofsShareTheForce) {
  Eigen::MatrixXd T(3, 2);
  T << 1.0, 0.5, 1.0, -0.5, 0.0, 1.0;
  SimulatedRig rig = ideal_rig(T);
  read(rig, 0);
  const Eigen::Vector2d d(0.02, -0.01);
  rig.write(T * d);
  EXPECT_TRUE((T.transpose() * read(rig, 1).force).isApprox(stiffness() * d, 1e-13));
}

/// A rig with everything that has a memory.
SimulatedRig noisy_rig(const std::string& site, std::uint64_t seed) {
  const ColumnSettings column{.dofs = 2,
                              .elastic_modulus = 210e9,
                              .area = 78.1e-4,
                              .second_moment = 5696e-8,
                              .height = 3.0};
  const HingeSettings hinge{180e3, 0.03, ColumnSpecimen::end_stiffness(column)};
  std::vector<std::unique_ptr<ActuatorModel>> models;
  models.push_back(std::make_unique<LinearActuators>(second_order_lag(18.0, 0.7, 1.0)));
  models.push_back(std::make_unique<PureDelay>(PureDelaySettings{.delay = 4.3 * kTick}));
  SimulatedRig rig(
      site, {}, std::make_unique<IndependentActuators>(std::move(models)),
      std::make_unique<ColumnSpecimen>(column, std::make_unique<BoucWenHinge>(hinge, 2.0),
                                       std::make_unique<BoucWenHinge>(hinge, 2.0)),
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(2)),
      {ActuatorVector::Constant(2, 2e-6), ActuatorVector::Constant(2, 20.0)});
  rig.prepare({.tick = kTick, .seed = seed});
  return rig;
}

Measurement advance(SimulatedRig& rig, int from, int to) {
  Measurement sensed;
  for (int n = from; n < to; ++n) {
    sensed = read(rig, n);
    rig.write(Eigen::Vector2d(0.1 * std::sin(0.02 * n), 0.01 * std::sin(0.05 * n)));
  }
  return sensed;
}

TEST(SimulatedRig, GoesOnFromASnapshotBitForBit) {
  SimulatedRig original = noisy_rig("west", 7);
  SimulatedRig copy = noisy_rig("west", 7);
  advance(original, 0, 300);
  SnapshotWriter writer;
  original.save(writer);
  SnapshotReader reader(writer.values());
  copy.restore(reader);
  EXPECT_TRUE(reader.at_end());
  const Measurement a = advance(original, 300, 900);
  const Measurement b = advance(copy, 300, 900);
  EXPECT_EQ(a.displacement, b.displacement);
  EXPECT_EQ(a.force, b.force);
}

TEST(SimulatedRig, PrepareBeginsTheSameRunAgain) {
  SimulatedRig rig = noisy_rig("west", 7);
  const Measurement first = advance(rig, 0, 500);
  rig.prepare({.tick = kTick, .seed = 7});
  EXPECT_EQ(advance(rig, 0, 500).force, first.force);
}

TEST(SimulatedRig, NoiseBelongsToSeedSiteChannelAndTick) {
  SimulatedRig rig = noisy_rig("west", 7);
  SimulatedRig same = noisy_rig("west", 7);
  SimulatedRig other_seed = noisy_rig("west", 8);
  SimulatedRig other_site = noisy_rig("east", 7);
  const Measurement sensed = read(rig, 0);  // at rest: noise alone
  EXPECT_EQ(sensed.displacement, read(same, 0).displacement);
  EXPECT_NE(sensed.displacement(0), read(other_seed, 0).displacement(0));
  EXPECT_NE(sensed.displacement(0), read(other_site, 0).displacement(0));
  EXPECT_NE(sensed.displacement(0), sensed.displacement(1));
  EXPECT_NE(sensed.displacement(0) / 2e-6, sensed.force(0) / 20.0);
  EXPECT_NE(sensed.displacement(0), read(rig, 1).displacement(0));
}

TEST(SimulatedRig, NoiseIsReadAndNeverFelt) {
  SimulatedRig noisy = noisy_rig("west", 7);
  SimulatedRig other = noisy_rig("west", 8);
  advance(noisy, 0, 600);
  advance(other, 0, 600);
  SnapshotWriter a;
  SnapshotWriter b;
  noisy.save(a);
  other.save(b);
  EXPECT_EQ(a.values(), b.values());
}

/// Largest error of the force of a damper on an ideal actuator that follows sin(ωt).
double damper_error(int ticks_per_second) {
  constexpr double kOmega = 10.0;
  const double tick_length = 1.0 / ticks_per_second;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 1);
  SimulatedRig rig(
      "west", {}, ideal(1),
      std::make_unique<LinearSpecimen>(none, Eigen::MatrixXd::Ones(1, 1), none),
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1)), {});
  rig.prepare({.tick = tick_length, .seed = 7});
  read(rig, 0);
  double worst = 0.0;
  for (int n = 1; n <= ticks_per_second; ++n) {
    rig.write(ActuatorVector::Constant(1, std::sin(kOmega * n * tick_length)));
    const double force = read(rig, n).force(0);
    worst = std::fmax(worst, std::abs(force - kOmega * std::cos(kOmega * n * tick_length)));
  }
  return worst;
}

TEST(SimulatedRig, AnIdealActuatorGivesTheVelocityOfHalfATickAgo) {
  // C·δt/2 times the largest acceleration, 100; the next term is (ωδt)²/6 of 10.
  EXPECT_NEAR(damper_error(1000), 0.05, 0.001);
  EXPECT_NEAR(damper_error(2000), 0.025, 0.0005);
}

/// Two DOFs: the first controlled, the second force-only.
SimulatedRig felt_rig(std::unique_ptr<SpecimenModel> specimen, const SensorNoise& noise,
                      SpecimenInput feels) {
  RigDescription description;
  description.reactions = 1;
  SimulatedRig rig(
      "west", description, ideal(1), std::move(specimen),
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1)),
      noise, feels);
  rig.prepare({.tick = kTick, .seed = 7});
  return rig;
}

TEST(SimulatedRig, AForceOnlyDofStandsStillAndItsForceIsTheReaction) {
  SimulatedRig rig = felt_rig(linear(), {}, SpecimenInput::kTrueDisplacement);
  EXPECT_EQ(rig.description().reactions, 1);
  EXPECT_TRUE(read(rig, 0).force_only.isZero(0.0));
  rig.write(ActuatorVector::Constant(1, 0.1));
  const Measurement sensed = read(rig, 1);
  EXPECT_EQ(sensed.force(0), 0.1 * stiffness()(0, 0));
  ASSERT_EQ(sensed.force_only.size(), 1);
  EXPECT_EQ(sensed.force_only(0), 0.1 * stiffness()(1, 0));
}

TEST(SimulatedRig, TheForceComesFromTheStrokesAsReadFromTheOpeningReadOn) {
  SensorNoise noise{ActuatorVector::Constant(1, 1e-3),
                    ActuatorVector::Zero(1),
                    {math::ParkMillerGenerator(123)}};
  SimulatedRig rig = felt_rig(linear(), noise, SpecimenInput::kMeasuredDisplacement);
  math::ParkMillerGenerator sequence(123);
  for (int n = 0; n < 5; ++n) {
    const Measurement sensed = read(rig, n);
    EXPECT_EQ(sensed.displacement(0), 0.01 * n + 1e-3 * sequence.next());
    EXPECT_EQ(sensed.force(0), stiffness()(0, 0) * sensed.displacement(0));
    EXPECT_EQ(sensed.force_only(0), stiffness()(1, 0) * sensed.displacement(0));
    rig.write(ActuatorVector::Constant(1, 0.01 * (n + 1)));
  }
}

TEST(SimulatedRig, EqualSeedsGiveEqualSequencesWhateverTheRunsSeedIs) {
  SensorNoise noise{ActuatorVector::Constant(2, 1e-3),
                    ActuatorVector::Zero(2),
                    {math::ParkMillerGenerator(123), math::ParkMillerGenerator(123)}};
  SimulatedRig rig(
      "west", {}, ideal(2), linear(),
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(2)),
      noise);
  rig.prepare({.tick = kTick, .seed = 7});
  const Measurement first = read(rig, 0);
  EXPECT_EQ(first.displacement(0), first.displacement(1));
  EXPECT_NE(read(rig, 1).displacement(0), first.displacement(0));
  rig.prepare({.tick = kTick, .seed = 8});
  EXPECT_EQ(read(rig, 0).displacement, first.displacement);
}

TEST(SimulatedRig, ASequenceGoesOnFromASnapshot) {
  const auto make = [] {
    return felt_rig(linear(),
                    {ActuatorVector::Constant(1, 1e-3),
                     ActuatorVector::Zero(1),
                     {math::ParkMillerGenerator(123)}},
                    SpecimenInput::kMeasuredDisplacement);
  };
  SimulatedRig original = make();
  SimulatedRig copy = make();
  for (int n = 0; n < 7; ++n) read(original, n);
  SnapshotWriter writer;
  original.save(writer);
  SnapshotReader reader(writer.values());
  copy.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(read(original, 7).displacement, read(copy, 7).displacement);
  EXPECT_EQ(read(original, 8).force_only, read(copy, 8).force_only);
}

}  // namespace
}  // namespace trestle::simulated::simulated_rig_test
