#include "site-servers/compensators/ats_compensator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::ats_compensator_test {
namespace {

constexpr double kTick = 1e-3;

compensators::AtsSettings settings() {
  return {.tick = kTick, .expected_delay = 0.010, .memory = 1.0, .excitation_floor = 1e-5};
}

/// A transfer system that is late, and perhaps too small.
class LateActuator {
 public:
  explicit LateActuator(int ticks, double gain = 1.0)
      : gain_(gain), pipe_(static_cast<std::size_t>(ticks), 0.0) {}

  double respond(double command) {
    pipe_.push_back(gain_ * command);
    const double measured = pipe_.front();
    pipe_.pop_front();
    return measured;
  }

 private:
  double gain_;
  std::deque<double> pipe_;
};

struct Tone {
  double amplitude;  // [m]
  double frequency;  // [Hz]
};

/// A motion of two tones, the sort an earthquake record leaves on a first storey.
ActuatorMotion target_at(double t) {
  ActuatorMotion target = ActuatorMotion::zero(1);
  for (const auto [amplitude, frequency] : {Tone{0.010, 1.0}, Tone{0.003, 2.7}}) {
    const double omega = 2.0 * std::numbers::pi * frequency;
    target.displacement[0] += amplitude * std::sin(omega * t);
    target.velocity[0] += amplitude * omega * std::cos(omega * t);
    target.acceleration[0] -= amplitude * omega * omega * std::sin(omega * t);
  }
  return target;
}

/// Largest tracking error over the last second of a ten-second run [m].
/// @param feedforward  added to every command behind the compensator [m]
double worst_late_error(compensators::AtsCompensator& compensator, LateActuator actuator,
                        double feedforward = 0.0) {
  ActuatorVector measured = ActuatorVector::Zero(1);
  ActuatorVector command = ActuatorVector::Zero(1);
  double worst = 0.0;
  for (int n = 0; n < 10'000; ++n) {
    const ActuatorMotion target = target_at(n * kTick);
    command = compensator.command(target, measured, command);
    command *= 1.0 + feedforward;
    measured[0] = actuator.respond(command[0]);
    if (n >= 9'000) worst = std::max(worst, std::abs(measured[0] - target.displacement[0]));
  }
  return worst;
}

TEST(AtsCompensator, FindsTheDelayItWasNotTold) {
  compensators::AtsCompensator compensator(1, settings());
  worst_late_error(compensator, LateActuator(/*ticks=*/18));
  EXPECT_NEAR(compensator.delay(0), 0.018, 0.0005);
  EXPECT_NEAR(compensator.amplitude(0), 1.0, 0.01);
}

TEST(AtsCompensator, FindsTheAmplitudeItWasNotTold) {
  compensators::AtsCompensator compensator(1, settings());
  worst_late_error(compensator, LateActuator(/*ticks=*/12, /*gain=*/0.9));
  EXPECT_NEAR(compensator.amplitude(0), 0.9, 0.01);
}

TEST(AtsCompensator, TracksWithinOnePercentOfTheStroke) {
  compensators::AtsCompensator compensator(1, settings());
  EXPECT_LT(worst_late_error(compensator, LateActuator(/*ticks=*/18)), 0.01 * 0.013);
}

TEST(AtsCompensator, LearnsFromTheWholeCommandInForce) {
  // What was added behind it must not be taken for an amplitude of the rig.
  compensators::AtsCompensator compensator(1, settings());
  worst_late_error(compensator, LateActuator(/*ticks=*/12), /*feedforward=*/0.2);
  EXPECT_NEAR(compensator.amplitude(0), 1.0, 0.01);
}

TEST(AtsCompensator, LearnsAsWellAtFastTicksWithNoise) {
  for (const double rate : {1024.0, 4096.0, 16384.0}) {
    compensators::AtsSettings fast{.tick = 1.0 / rate, .expected_delay = 0.012};
    compensators::AtsCompensator compensator(1, fast);
    const int delay = static_cast<int>(0.018 * rate);
    const testing::Track track = testing::run(
        compensator, {.tick = 1.0 / rate, .rig = {.delay = delay, .noise = 2e-6}});
    EXPECT_NEAR(compensator.delay(0), delay / rate, 0.0005) << rate;
    EXPECT_LT(track.error(8.0, 12.0), 0.01) << rate;
  }
}

TEST(AtsCompensator, LearnsInAWindowThatMovesAlong) {
  compensators::AtsSettings windowed{.tick = 1.0 / 1024.0,
                                     .expected_delay = 0.012,
                                     .window = 1.0,
                                     .filter = {.frequency = 10.0},
                                     .differences = true};
  compensators::AtsCompensator compensator(1, windowed);
  const testing::Track track =
      testing::run(compensator, {.rig = {.delay = 12, .noise = 12e-6},
                                 .changes_at = 6.0,
                                 .later = {.delay = 20, .gain = 0.95, .noise = 12e-6}});
  // Differences of the target are half a tick late.
  EXPECT_NEAR(compensator.delay(0), 20.5 / 1024.0, 0.001);
  EXPECT_NEAR(compensator.amplitude(0), 0.95, 0.01);
  EXPECT_LT(track.error(9.0, 12.0), 0.01);
}

TEST(AtsCompensator, KeepsItsCoefficientsWithinTheirBounds) {
  compensators::AtsSettings bounded{.tick = 1.0 / 1024.0,
                                    .expected_delay = 0.010,
                                    .a0 = compensators::AtsSettings::Range{0.95, 1.05},
                                    .a1 = compensators::AtsSettings::Range{0.0, 0.012}};
  compensators::AtsCompensator compensator(1, bounded);
  testing::run(compensator, {.rig = {.delay = 18, .gain = 0.9}});
  EXPECT_NEAR(compensator.amplitude(0), 1.0 / 1.05, 1e-12);
  EXPECT_NEAR(compensator.delay(0), 0.012 / 1.05, 1e-12);
}

TEST(AtsCompensator, StandsStillAtRest) {
  compensators::AtsCompensator compensator(1, settings());
  const ActuatorMotion rest = ActuatorMotion::zero(1);
  for (int n = 0; n < 100; ++n)
    EXPECT_EQ(compensator.command(rest, rest.displacement, rest.displacement),
              rest.displacement);
  EXPECT_DOUBLE_EQ(compensator.delay(0), 0.010);
}

TEST(AtsCompensator, TakesTheStartingPositionForNoMotion) {
  compensators::AtsCompensator compensator(1, settings());
  ActuatorMotion target = ActuatorMotion::zero(1);
  target.displacement[0] = 0.02;
  for (int n = 0; n < 100; ++n)
    compensator.command(target, target.displacement, target.displacement);
  EXPECT_NEAR(compensator.amplitude(0), 1.0, 1e-3);
}

TEST(AtsCompensator, ResetForgetsTheRun) {
  compensators::AtsCompensator compensator(1, settings());
  const double first = worst_late_error(compensator, LateActuator(18));
  compensator.reset();
  EXPECT_EQ(worst_late_error(compensator, LateActuator(18)), first);
}

TEST(AtsCompensator, GoesOnFromASnapshotToTheBit) {
  compensators::AtsCompensator compensator(1, settings());
  worst_late_error(compensator, LateActuator(18));
  SnapshotWriter writer;
  compensator.save(writer);
  compensators::AtsCompensator twin(1, settings());
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  const ActuatorVector some = ActuatorVector::Constant(1, 0.004);
  EXPECT_EQ(twin.command(target_at(0.3), some, some),
            compensator.command(target_at(0.3), some, some));
}

TEST(AtsCompensator, RefusesASettingThatCannotWork) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {2 * kTick, nan}) {
    compensators::AtsSettings broken = settings();
    broken.memory = bad;
    EXPECT_THROW(compensators::AtsCompensator(1, broken), SettingError);
  }
  compensators::AtsSettings broken = settings();
  broken.expected_delay = 0.0;
  EXPECT_THROW(compensators::AtsCompensator(1, broken), SettingError);
  broken = settings();
  broken.excitation_floor = -1e-6;
  EXPECT_THROW(compensators::AtsCompensator(1, broken), SettingError);
}

}  // namespace
}  // namespace trestle::ats_compensator_test
