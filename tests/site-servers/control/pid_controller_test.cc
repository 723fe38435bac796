#include "site-servers/controllers/pid_controller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"

namespace trestle::pid_controller_test {
namespace {

constexpr double kTick = 1e-3;

double drive(controllers::PidController& controller, double command, double measured) {
  Measurement sensed = Measurement::zero(1);
  sensed.displacement[0] = measured;
  return controller.drive(ActuatorVector::Constant(1, command), sensed)[0];
}

TEST(PidController, WithoutGainsDrivesTheCommand) {
  controllers::PidController controller(1, {.tick = kTick});
  EXPECT_EQ(drive(controller, 0.02, -0.01), 0.02);
}

TEST(PidController, AddsTheErrorInProportion) {
  controllers::PidController controller(1, {.tick = kTick, .proportional = 0.5});
  EXPECT_DOUBLE_EQ(drive(controller, 0.02, 0.01), 0.02 + 0.5 * 0.01);
}

TEST(PidController, IntegratesAConstantErrorToARamp) {
  controllers::PidController controller(1, {.tick = kTick, .integral = 3.0});
  for (int n = 1; n <= 100; ++n)
    EXPECT_NEAR(drive(controller, 0.01, 0.0), 0.01 + 3.0 * 0.01 * n * kTick, 1e-15);
}

TEST(PidController, FindsTheSlopeOfAnError) {
  controllers::PidController controller(1, {.tick = kTick, .derivative = 0.02});
  EXPECT_EQ(drive(controller, 0.0, -0.005), 0.0) << "the first tick has no slope";
  for (int n = 1; n <= 10; ++n)
    EXPECT_NEAR(drive(controller, 0.0, -0.005 - 0.3 * n * kTick), 0.02 * 0.3, 1e-14);
}

TEST(PidController, FiltersTheSlopeAsAFirstOrderLagDoes) {
  controllers::PidController controller(1,
                                        {.tick = kTick, .derivative = 1.0, .filter = 10.0});
  drive(controller, 0.0, 0.0);
  for (int n = 1; n <= 100; ++n) {
    const double lag = 1.0 - std::exp(-2.0 * std::numbers::pi * 10.0 * n * kTick);
    EXPECT_NEAR(drive(controller, 0.0, -0.3 * n * kTick), 0.3 * lag, 1e-13);
  }
}

TEST(PidController, DrivesByTheErrorAloneWithoutTheCommand) {
  controllers::PidController controller(
      1, {.tick = kTick, .proportional = 2.0, .integral = 95.0, .command_gain = 0.0});
  EXPECT_DOUBLE_EQ(drive(controller, 0.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(drive(controller, 0.01, 0.004), (2.0 + 95.0 * kTick) * 0.006);
}

/// Activation leaves the rig at its position, not at zero.
TEST(PidController, WithoutTheCommandLeavesARigWhereItStandsAtTheStart) {
  controllers::PidController controller(
      1, {.tick = kTick, .proportional = 2.0, .integral = 95.0, .command_gain = 0.25});
  for (int n = 0; n < 3; ++n) EXPECT_DOUBLE_EQ(drive(controller, 0.03, 0.03), 0.03);
  controller.reset();
  EXPECT_DOUBLE_EQ(drive(controller, -0.02, -0.02), -0.02);
}

TEST(PidController, RefusesAPartOfTheCommandWithoutAnIntegral) {
  EXPECT_THROW(controllers::PidController(
                   1, {.tick = kTick, .proportional = 2.0, .command_gain = 0.0}),
               SettingError);
  EXPECT_THROW(
      controllers::PidController(1, {.tick = kTick, .integral = 1.0, .command_gain = -1.0}),
      SettingError);
}

TEST(PidController, ResetForgetsTheRun) {
  controllers::PidController controller(
      1, {.tick = kTick, .integral = 3.0, .derivative = 0.1});
  const double first = drive(controller, 0.01, 0.0);
  drive(controller, -0.02, 0.01);
  controller.reset();
  EXPECT_EQ(drive(controller, 0.01, 0.0), first);
}

TEST(PidController, GoesOnFromASnapshotToTheBit) {
  const controllers::PidSettings settings{.tick = kTick,
                                          .proportional = 0.1,
                                          .integral = 3.0,
                                          .derivative = 0.1,
                                          .filter = 40.0};
  controllers::PidController controller(1, settings);
  for (int n = 0; n < 5; ++n) drive(controller, std::sin(n), std::cos(n));
  SnapshotWriter writer;
  controller.save(writer);
  controllers::PidController twin(1, settings);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(drive(twin, 0.3, 0.1), drive(controller, 0.3, 0.1));
}

TEST(PidController, RefusesANegativeGain) {
  EXPECT_THROW(controllers::PidController(1, {.tick = kTick, .proportional = -0.1}),
               SettingError);
  EXPECT_THROW(controllers::PidController(1, {.tick = kTick, .integral = std::nan("")}),
               SettingError);
  EXPECT_THROW(controllers::PidController(1, {.tick = kTick, .derivative = INFINITY}),
               SettingError);
  EXPECT_THROW(controllers::PidController(1, {.tick = kTick, .filter = -1.0}),
               SettingError);
}

}  // namespace
}  // namespace trestle::pid_controller_test
