#include "site-servers/compensators/adaptive_discrete_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::adaptive_discrete_model_test {
namespace {

using testing::run;
using testing::Track;

constexpr double kTick = 1.0 / 1024.0;

compensators::AdaptiveDiscreteModelSettings settings() {
  return {.tick = kTick, .start = {.initial_delay = 0.010}};
}

TEST(AdaptiveDiscreteModel, FindsTheModelThatTheCommandsFollowed) {
  compensators::AdaptiveDiscreteModelSettings open = settings();
  open.command_taps = 2;
  open.target_taps = 3;
  open.filter = {};
  open.start.initial_covariance = 1e14;
  compensators::AdaptiveDiscreteModel compensator(1, open);
  const double truth[5] = {0.6, -0.2, 7.0, -9.0, 3.0};
  const auto measured = [](int n) {
    return n < 0 ? 0.0 : 1e-3 * (3.0 * std::sin(0.3 * n) + std::sin(2.9 * n * n));
  };
  double command[3] = {0.0, 0.0, 0.0};  // ticks n-1, n-2, n-3
  for (int n = 0; n < 3000; ++n) {
    compensator.command(ActuatorMotion::zero(1), ActuatorVector::Constant(1, measured(n)),
                        ActuatorVector::Constant(1, command[0]));
    const double next = truth[0] * command[0] + truth[1] * command[1] +
                        truth[2] * measured(n) + truth[3] * measured(n - 1) +
                        truth[4] * measured(n - 2);
    command[2] = command[1];
    command[1] = command[0];
    command[0] = next;
  }
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], truth[i], 1e-6) << i;
  // At low frequency: Σt/(1 − Σm) = 1/0.6, and a lead of −(Σi·tᵢ/Σt + Σj·mⱼ/(1 − Σm))
  // ticks.
  const std::optional<TransferEstimate> estimate = compensator.estimate(0);
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->amplitude, 0.6, 1e-5);
  EXPECT_NEAR(estimate->delay, (3.0 - 0.2 / 0.6) * kTick, 1e-4 * kTick);
}

TEST(AdaptiveDiscreteModel, BringsTheSpecimenThereOnTime) {
  for (const testing::TrialRig rig :
       {testing::TrialRig{.delay = 18}, testing::TrialRig{.lag = 0.025},
        testing::TrialRig{.delay = 12, .gain = 0.9},
        testing::TrialRig{.lag = 0.02, .noise = 12e-6}}) {
    compensators::AdaptiveDiscreteModel compensator(1, settings());
    EXPECT_LT(run(compensator, {.rig = rig}).error(8.0, 12.0, 1), 0.01);
  }
}

TEST(AdaptiveDiscreteModel, FollowsARigThatChangesWhereItForgets) {
  compensators::AdaptiveDiscreteModelSettings forgetful = settings();
  forgetful.forgetting = 1.0 - kTick / 0.5;
  compensators::AdaptiveDiscreteModel compensator(1, forgetful);
  const Track track =
      run(compensator, {.rig = {.delay = 12, .noise = 2e-6},
                        .changes_at = 6.0,
                        .later = {.delay = 20, .gain = 0.95, .noise = 2e-6}});
  EXPECT_LT(track.error(9.0, 12.0, 1), 0.02);
}

TEST(AdaptiveDiscreteModel, KeepsItsStartWhileNothingMoves) {
  compensators::AdaptiveDiscreteModel compensator(1, settings());
  const Eigen::VectorXd start = compensator.coefficients(0);
  run(compensator, {.duration = 5.0, .scale = 0.0, .rig = {.delay = 18, .noise = 12e-6}});
  EXPECT_EQ(compensator.coefficients(0), start);
}

TEST(AdaptiveDiscreteModel, LearnsFromTheWholeCommandInForce) {
  compensators::AdaptiveDiscreteModel compensator(1, settings());
  run(compensator, {.rig = {.delay = 12}, .feedforward = 0.2});
  EXPECT_NEAR(compensator.coefficients(0).sum(), 1.0, 0.01);
}

TEST(AdaptiveDiscreteModel, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change) {
    compensators::AdaptiveDiscreteModelSettings broken = settings();
    change(broken);
    try {
      compensators::AdaptiveDiscreteModel compensator(1, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  refuses("command_taps", [](auto& it) { it.command_taps = 9; });
  refuses("target_taps", [](auto& it) { it.target_taps = 0; });
  refuses("forgetting", [](auto& it) { it.forgetting = 1.1; });
  refuses("excitation_floor", [](auto& it) { it.excitation_floor = -1.0; });
  refuses("start[0].coefficients", [](auto& it) {
    it.start.given = {{Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity()}};
  });
}

}  // namespace
}  // namespace trestle::adaptive_discrete_model_test
