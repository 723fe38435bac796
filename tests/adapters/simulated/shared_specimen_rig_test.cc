#include "adapters/simulated/shared_specimen_rig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "tests/adapters/simulated/sprung_mass.h"

namespace trestle::simulated::shared_rig_test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kTick = 1e-3;

CoupledActuators whole() {
  return CoupledActuators({{.mass = 2.2, .stiffness = 13618.0, .damping = 150.8},
                           {.mass = 2.2, .stiffness = 25902.0, .damping = 200.8}},
                          std::make_unique<testing::SprungMass>(), 4);
}

class SharedRigs : public ::testing::Test {
 protected:
  SharedRigs()
      : folder_(std::filesystem::temp_directory_path() /
                ("trestle-shared-" + std::to_string(::getpid()))) {}
  ~SharedRigs() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<SharedSpecimenRig> site(Index port) const {
    RigDescription description;
    description.actuators.push_back({"1", DofKind::kTranslation});
    return std::make_unique<SharedSpecimenRig>(
        description, whole(),
        std::make_unique<DriveChannel>(folder_.string(),
                                       std::vector<std::string>{"left", "right"},
                                       std::vector<Index>{port}),
        std::vector<Index>{port}, SensorNoiseGenerator("site", {}));
  }

  std::filesystem::path folder_;
};

Measurement one() {
  return Measurement::zero(1);
}

TimePoint at(int tick) {
  return TimePoint{Duration{static_cast<std::int64_t>(tick) * 1000000}};
}

/// Against the rig in one piece; what the other drives in the tick under way is foreseen on
/// a straight line, which costs a fourth power of the tick: 1e-8 of the way here.
TEST_F(SharedRigs, MoveAsOneRig) {
  const auto left = site(0);
  const auto right = site(1);
  left->prepare({kTick, 1});
  right->prepare({kTick, 1});
  CoupledActuators together = whole();
  together.prepare(kTick);
  Measurement of_left = one(), of_right = one();
  VectorXd drive(2);
  for (int n = 0; n < 2000; ++n) {
    ASSERT_EQ(left->read(at(n), of_left), AdapterStatus::kOk);
    ASSERT_EQ(right->read(at(n), of_right), AdapterStatus::kOk);
    EXPECT_NEAR(of_left.displacement[0], together.displacement()[0], 5e-3 * 1e-7) << n;
    EXPECT_NEAR(of_right.displacement[0], together.displacement()[1], 5e-3 * 1e-7) << n;
    EXPECT_NEAR(of_left.force[0], together.force()[0], 20.0 * 1e-6) << n;
    EXPECT_NEAR(of_right.force[0], together.force()[1], 20.0 * 1e-6) << n;
    const double t = n * kTick;
    const double ramp = std::min(1.0, t) * std::min(1.0, t);
    drive << 5e-3 * ramp * std::sin(31.4 * t), -4e-3 * ramp * std::sin(18.8 * t);
    ASSERT_EQ(left->write(ActuatorVector::Constant(1, drive[0])), AdapterStatus::kOk);
    ASSERT_EQ(right->write(ActuatorVector::Constant(1, drive[1])), AdapterStatus::kOk);
    together.advance(drive);
  }
}

/// The numbers depend on the drives, not on who is asked first.
TEST_F(SharedRigs, ReadTheSameWhoeverIsFirst) {
  std::vector<double> forces[2];
  for (const bool left_first : {true, false}) {
    const auto left = site(0);
    const auto right = site(1);
    left->prepare({kTick, 1});
    right->prepare({kTick, 1});
    Measurement sensed = one();
    for (int n = 0; n < 100; ++n)
      for (SharedSpecimenRig* rig :
           {left_first ? left.get() : right.get(), left_first ? right.get() : left.get()}) {
        rig->read(at(n), sensed);
        if (rig == left.get()) forces[left_first ? 0 : 1].push_back(sensed.force[0]);
        rig->write(ActuatorVector::Constant(
            1, 1e-3 * std::sin(0.03 * n + (rig == left.get() ? 0.0 : 1.0))));
      }
  }
  EXPECT_EQ(forces[0], forces[1]);
}

/// The drive of a site that left stays; the others wait for it only once.
TEST_F(SharedRigs, GoOnWithoutTheOther) {
  const auto left = site(0);
  left->prepare({kTick, 1});
  Measurement sensed = one();
  for (int n = 0; n < 5000; ++n) {
    ASSERT_EQ(left->read(at(n), sensed), AdapterStatus::kOk);
    left->write(ActuatorVector::Constant(1, 1e-3));
  }
  // At rest the other end stands where its own spring and the specimen's two leave it.
  const double k = 0.5 * testing::SprungMass::kStiffness;
  const double through = k * 25902.0 / (k + 25902.0);
  EXPECT_NEAR(sensed.displacement[0], 1e-3 * 13618.0 / (13618.0 + through), 1e-6);
}

/// A process that is killed may have recorded a step of one site and not yet of the other.
TEST_F(SharedRigs, GoOnBitForBitFromTheSnapshotsOfAnyInstant) {
  constexpr int kKilled = 50, kTicks = 100;
  std::unique_ptr<SharedSpecimenRig> sites[2];
  std::vector<double> forces[2];
  const auto tick = [&](Index which, int n) {
    Measurement sensed = one();
    sites[which]->read(at(n), sensed);
    forces[which].push_back(sensed.force[0]);
    sites[which]->write(ActuatorVector::Constant(
        1, 1e-3 * std::sin(0.03 * n * n + static_cast<double>(which))));
  };
  const auto begin = [&](Index which) {
    sites[which] = site(which);
    sites[which]->prepare({kTick, 1});
  };
  std::vector<double> undisturbed[2];
  for (const Index ahead : {-1, 0, 1}) {
    for (const Index which : {0, 1}) forces[which].clear();
    for (const Index which : {0, 1}) begin(which);
    for (int n = 0; n < kKilled; ++n)
      for (const Index which : {0, 1}) tick(which, n);
    if (ahead >= 0) {
      tick(ahead, kKilled);
      SnapshotWriter kept[2];
      for (const Index which : {0, 1}) sites[which]->save(kept[which]);
      for (const Index which : {0, 1}) sites[which].reset();
      for (const Index which : {0, 1}) {
        begin(which);
        SnapshotReader reader(kept[which].values());
        sites[which]->restore(reader);
      }
      tick(1 - ahead, kKilled);
    }
    for (int n = ahead >= 0 ? kKilled + 1 : kKilled; n < kTicks; ++n)
      for (const Index which : {1, 0}) tick(which, n);
    for (const Index which : {0, 1}) {
      if (ahead < 0) undisturbed[which] = forces[which];
      EXPECT_EQ(forces[which], undisturbed[which]) << ahead;
    }
  }
}

TEST_F(SharedRigs, LetNoOtherTestDriveTheirSpecimen) {
  const auto left = site(0);
  left->prepare({kTick, 1});
  const auto other = site(0);
  try {
    other->prepare({kTick, 1});
    ADD_FAILURE() << "two tests drive one specimen";
  } catch (const std::runtime_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("left.drives: another test uses it"),
              std::string::npos)
        << refused.what();
  }
  left->prepare({kTick, 1});
}

TEST_F(SharedRigs, HearNothingOfAnEarlierTest) {
  {
    const auto right = site(1);
    right->prepare({kTick, 1});
    Measurement sensed = one();
    right->read(at(0), sensed);
    right->write(ActuatorVector::Constant(1, 1e-3));
  }
  const auto left = site(0);
  left->prepare({kTick, 1});
  Measurement sensed = one();
  for (int n = 0; n < 50; ++n) {
    left->read(at(n), sensed);
    left->write(ActuatorVector::Zero(1));
  }
  EXPECT_EQ(sensed.force[0], 0.0);
}

}  // namespace
}  // namespace trestle::simulated::shared_rig_test
