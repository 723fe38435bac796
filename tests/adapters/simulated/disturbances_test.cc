#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <vector>

#include "adapters/simulated/delay_jump_actuators.h"
#include "adapters/simulated/independent_actuators.h"
#include "adapters/simulated/pure_delay.h"
#include "adapters/simulated/sensor_dropout.h"
#include "adapters/simulated/simulated_rig.h"
#include "adapters/simulated/sticking_actuators.h"
#include "composition/rigs/simulated_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle::simulated::disturbances_test {
namespace {

constexpr double kTick = 0.001;

std::unique_ptr<ActuatorModel> ideal() {
  std::vector<std::unique_ptr<ActuatorModel>> models;
  models.push_back(std::make_unique<PureDelay>(PureDelaySettings{}));
  return std::make_unique<IndependentActuators>(std::move(models));
}

/// Where the actuator is after each of these drives. After every one of them it is replaced
/// by a new one with its state, which must not be seen.
template <typename Make>
std::vector<double> strokes(const Make& make, const std::vector<double>& drives) {
  std::vector<double> strokes;
  auto actuator = make();
  actuator.prepare(kTick);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  for (const double drive : drives) {
    actuator.advance(ActuatorVector::Constant(1, drive), stroke);
    strokes.push_back(stroke.displacement(0));
    SnapshotWriter state;
    actuator.save(state);
    actuator = make();
    actuator.prepare(kTick);
    SnapshotReader kept(state.values());
    actuator.restore(kept);
    EXPECT_TRUE(kept.at_end());
  }
  return strokes;
}

TEST(DelayJumpActuators, SeeEachDriveOnceAndInOrder) {
  const auto make = [] {
    return DelayJumpActuators(ideal(), {.at = 0.003, .by = 0.002});
  };
  EXPECT_EQ(strokes(make, {1, 2, 3, 4, 5, 6, 7, 8}),
            (std::vector<double>{1, 2, 3, 3, 3, 4, 5, 6}));
}

TEST(DelayJumpActuators, FromTheBeginningAreAtRestUntilTheFirstDriveComes) {
  const auto make = [] {
    return DelayJumpActuators(ideal(), {.at = 0.0, .by = 0.0004});  // rounded to one tick
  };
  EXPECT_EQ(strokes(make, {1, 2, 3}), (std::vector<double>{0, 1, 2}));
}

TEST(StickingActuators, StayUntilTheDriveIsFarAwayAndTrailByAsMuch) {
  const auto make = [] {
    return StickingActuators(ideal(), ActuatorVector::Constant(1, 0.5));
  };
  EXPECT_EQ(strokes(make, {0.25, 0.5, 1.0, 2.0, 1.25, 1.0, 0.5, -1.0, -0.75, 0.0}),
            (std::vector<double>{0.0, 0.0, 0.5, 1.5, 1.5, 1.5, 1.0, -0.5, -0.5, -0.5}));
}

std::vector<double> readings(DropoutTimes times, int count) {
  std::vector<double> through;
  SensorDropout dropout(times);
  dropout.prepare(kTick, 1);
  for (int i = 0; i < count; ++i) {
    ActuatorVector displacement = ActuatorVector::Constant(1, i);
    ActuatorVector force = ActuatorVector::Constant(1, 100.0 + i);
    dropout.pass_displacement(displacement);
    dropout.pass_force(force);
    EXPECT_EQ(force(0), 100.0 + displacement(0));
    through.push_back(displacement(0));
    SnapshotWriter state;
    dropout.save(state);
    dropout = SensorDropout(times);
    dropout.prepare(kTick, 1);
    SnapshotReader kept(state.values());
    dropout.restore(kept);
    EXPECT_TRUE(kept.at_end());
  }
  return through;
}

TEST(SensorDropout, KeepsTheLastReadingThatCame) {
  EXPECT_EQ(readings({.at = 0.002, .duration = 0.003}, 8),
            (std::vector<double>{0, 1, 1, 1, 1, 5, 6, 7}));
  EXPECT_EQ(readings({.at = 0.001, .duration = 0.002, .every = 0.004}, 9),
            (std::vector<double>{0, 0, 0, 3, 4, 4, 4, 7, 8}));
  EXPECT_EQ(readings({.at = 0.0, .duration = 0.002}, 4), (std::vector<double>{0, 0, 2, 3}));
}

config::Rig rig(const std::string& text) {
  config::Rig message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

std::unique_ptr<SiteAdapter> made(const std::string& text) {
  return composition::make_simulated_rig(
      rig(text), "west",
      std::make_unique<kinematics::MatrixFrame>(Eigen::MatrixXd::Identity(1, 1)), "rig");
}

const std::string kSpring = "specimen {linear {stiffness {values: [10]}}} ";

TEST(Disturbances, OfARigActTogether) {
  const auto it = made(kSpring +
                       "disturbances {delay_jump {at: 0.002 by: 0.001} dropout {at: 0.005 "
                       "duration: 0.002} friction: 0.5}");
  it->prepare({.tick = kTick, .seed = 1});
  std::vector<double> displacement;
  std::vector<double> force;
  for (int n = 0; n < 8; ++n) {
    Measurement sensed;
    it->read(TimePoint(std::chrono::milliseconds(n)), sensed);
    displacement.push_back(sensed.displacement(0));
    force.push_back(sensed.force(0));
    it->write(ActuatorVector::Constant(1, n + 1.0));
  }
  // Drives 1, 2, (2), 3, 4, 5, 6 act, less half; the fifth and sixth readings do not come.
  EXPECT_EQ(displacement, (std::vector<double>{0, 0.5, 1.5, 1.5, 2.5, 2.5, 2.5, 5.5}));
  for (std::size_t i = 0; i < force.size(); ++i) EXPECT_EQ(force[i], 10 * displacement[i]);
}

TEST(Disturbances, OfAForceThatIsComputedStayWithWhatIsMeasured) {
  const auto it = made(kSpring +
                       "force_from_measured: true disturbances {dropout {at: 0.002 "
                       "duration: 0.002}}");
  it->prepare({.tick = kTick, .seed = 1});
  std::vector<double> force;
  for (int n = 0; n < 6; ++n) {
    Measurement sensed;
    it->read(TimePoint(std::chrono::milliseconds(n)), sensed);
    force.push_back(sensed.force(0));
    it->write(ActuatorVector::Constant(1, n + 1.0));
  }
  EXPECT_EQ(force, (std::vector<double>{0, 10, 10, 10, 40, 50}));
}

std::string problem(const std::string& text) {
  try {
    made(text);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

TEST(Disturbances, ThatCannotBeAreRefusedAtTheirPlace) {
  const auto named = [](const std::string& text, const std::string& place) {
    const std::string sentence = problem(kSpring + text);
    EXPECT_NE(sentence.find(place), std::string::npos) << text << ": " << sentence;
  };
  named("disturbances {friction: [1, 2]}", "rig.disturbances.friction");
  named("disturbances {friction: -1}", "rig.disturbances.friction[0]");
  named("disturbances {delay_jump {at: -1 by: 1}}", "rig.disturbances.delay_jump.at");
  named("disturbances {delay_jump {at: 1 by: 0}}", "rig.disturbances.delay_jump.by");
  named("disturbances {delay_jump {at: 1 by: 2}}", "rig.disturbances.delay_jump.by");
  named("disturbances {dropout {at: 1 duration: 0}}", "rig.disturbances.dropout.duration");
  named("disturbances {dropout {at: 1 duration: 1 every: 1}}",
        "rig.disturbances.dropout.every");
  named("transfer_systems {mass: 1 stiffness: 1 damping: 1} disturbances {}",
        "rig.disturbances");
}

}  // namespace
}  // namespace trestle::simulated::disturbances_test
