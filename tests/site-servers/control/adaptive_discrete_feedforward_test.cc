#include "site-servers/compensators/adaptive_discrete_feedforward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::adaptive_discrete_feedforward_test {
namespace {

using compensators::AdaptiveDiscreteFeedforward;
using compensators::AdaptiveDiscreteFeedforwardSettings;
using compensators::PerActuator;

constexpr double kTick = 1.0 / 1024.0;
constexpr int kSpacing = 5;  // [ticks]
/// Θᵢₐⱼ of a rig whose actuators move one another: [command][target][tap].
constexpr double kTruth[2][2][3] = {{{6.0, -5.5, 0.6}, {0.4, -0.9, 0.45}},
                                    {{-0.3, 0.2, 0.15}, {3.0, -2.4, 0.3}}};

/// Measured displacements that excite all six coefficients.
double motion(int actuator, int n) {
  const double t = n * kTick + 0.37 * actuator;
  return 0.004 * std::sin((8.0 + actuator) * t) + 0.003 * std::sin(23.0 * t + actuator) +
         0.002 * std::sin((51.0 - 7.0 * actuator) * t) + 0.001 * std::sin(83.0 * t);
}

double inverse(int actuator, int n) {
  double command = 0.0;
  for (int of = 0; of < 2; ++of)
    for (int j = 0; j < 3; ++j)
      command += kTruth[actuator][of][j] * motion(of, n - j * kSpacing);
  return command;
}

AdaptiveDiscreteFeedforwardSettings settings() {
  return {.tick = kTick,
          .initial_delay = PerActuator(std::vector<double>{0.02, 0.01}),
          .taps = 3,
          .spacing = kSpacing * kTick,
          .filter = {.frequency = 0.0},
          .residual = 1e-9,
          .excitation_floor = 0.0};
}

/// The rig of the truth. The last command of tick n belongs to what was read at n − 1.
void show(AdaptiveDiscreteFeedforward& compensator, int ticks) {
  ActuatorVector measured(2), last(2);
  for (int n = 0; n < ticks; ++n) {
    for (int i = 0; i < 2; ++i) {
      measured[i] = motion(i, n);
      last[i] = inverse(i, n - 1);
    }
    compensator.command(ActuatorMotion::zero(2), measured, last);
  }
}

TEST(AdaptiveDiscreteFeedforward, FindsTheInverseOfActuatorsThatMoveOneAnother) {
  for (const double frequency : {0.0, 20.0}) {
    AdaptiveDiscreteFeedforwardSettings it = settings();
    it.filter.frequency = frequency;
    AdaptiveDiscreteFeedforward compensator(2, it);
    show(compensator, 20000);
    for (int i = 0; i < 2; ++i)
      for (int of = 0; of < 2; ++of)
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(compensator.weight(i, of, j), kTruth[i][of][j],
                      frequency == 0.0 ? 1e-4 : 1e-3)  // the filters start apart
              << i << of << j << " with a filter of " << frequency << " Hz";
  }
}

TEST(AdaptiveDiscreteFeedforward, CommandsTheWeightsOfAllTargets) {
  AdaptiveDiscreteFeedforwardSettings it = settings();
  AdaptiveDiscreteFeedforward compensator(2, it);
  ActuatorMotion target = ActuatorMotion::zero(2);
  ActuatorVector command(2), measured(2), last(2);
  int n = 0;
  for (; n < 20000; ++n) {
    for (int i = 0; i < 2; ++i) {
      measured[i] = motion(i, n);
      last[i] = inverse(i, n - 1);
      target.displacement[i] = 0.7 * motion(1 - i, n + 300);
    }
    command = compensator.command(target, measured, last);
  }
  --n;
  for (int i = 0; i < 2; ++i) {
    double expected = 0.0;
    for (int of = 0; of < 2; ++of)
      for (int j = 0; j < 3; ++j)
        expected += kTruth[i][of][j] * 0.7 * motion(1 - of, n + 300 - j * kSpacing);
    EXPECT_NEAR(command[i], expected, 1e-7) << i;
  }
}

TEST(AdaptiveDiscreteFeedforward, StartsAsALeadOfTheFirstOrder) {
  AdaptiveDiscreteFeedforward compensator(2, settings());
  const double lead = 0.02 / (kSpacing * kTick);  // 4.096
  EXPECT_NEAR(compensator.weight(0, 0, 0), 1.0 + lead, 1e-12);
  EXPECT_NEAR(compensator.weight(0, 0, 1), -lead, 1e-12);
  EXPECT_EQ(compensator.weight(0, 0, 2), 0.0);
  EXPECT_EQ(compensator.weight(0, 1, 0), 0.0);
  EXPECT_NEAR(compensator.weight(1, 1, 1), -0.01 / (kSpacing * kTick), 1e-12);
  EXPECT_NEAR(compensator.estimate(0)->delay, 0.02, 1e-12);
  EXPECT_NEAR(compensator.estimate(0)->amplitude, 1.0, 1e-12);
}

TEST(AdaptiveDiscreteFeedforward, HasALinearFormUntilTargetsAreMixed) {
  AdaptiveDiscreteFeedforward coupled(2, settings());
  const auto before = coupled.linearise(1);
  ASSERT_TRUE(before);
  ASSERT_EQ(before->targets.size(), 2U * kSpacing + 1U);
  EXPECT_EQ(before->targets[kSpacing], coupled.weight(1, 1, 1));
  EXPECT_EQ(before->targets[1], 0.0);
  show(coupled, 1000);
  EXPECT_FALSE(coupled.linearise(1));
  coupled.reset();
  EXPECT_TRUE(coupled.linearise(1));

  AdaptiveDiscreteFeedforwardSettings it = settings();
  it.own_target_only = true;
  AdaptiveDiscreteFeedforward own(2, it);
  show(own, 1000);
  EXPECT_TRUE(own.linearise(1));
  EXPECT_EQ(own.weight(1, 0, 0), 0.0);
}

TEST(AdaptiveDiscreteFeedforward, RestsBelowTheFloor) {
  AdaptiveDiscreteFeedforwardSettings it = settings();
  it.excitation_floor = 1.0;
  AdaptiveDiscreteFeedforward compensator(2, it);
  const double before = compensator.weight(0, 0, 0);
  show(compensator, 3000);
  EXPECT_EQ(compensator.weight(0, 0, 0), before);
}

TEST(AdaptiveDiscreteFeedforward, StaysNearItsStartWhereARowSaysLittle) {
  AdaptiveDiscreteFeedforwardSettings it = settings();
  it.residual = 10.0;  // [m]: nothing is to be learnt from millimetres
  AdaptiveDiscreteFeedforward compensator(2, it);
  const double before = compensator.weight(0, 0, 0);
  show(compensator, 3000);
  EXPECT_NEAR(compensator.weight(0, 0, 0), before, 1e-3);
}

TEST(AdaptiveDiscreteFeedforward, RecordsItsWeights) {
  AdaptiveDiscreteFeedforward coupled(2, settings());
  show(coupled, 500);
  const Channels channels = coupled.coefficient_channels();
  ASSERT_EQ(channels.size(), 6U);
  EXPECT_EQ(channels[0].name, "theta1_0");
  EXPECT_EQ(channels[5].name, "theta2_2");
  double row[6];
  coupled.copy_coefficients(1, row);
  EXPECT_EQ(row[2], coupled.weight(1, 0, 2));
  EXPECT_EQ(row[3], coupled.weight(1, 1, 0));

  AdaptiveDiscreteFeedforwardSettings it = settings();
  it.own_target_only = true;
  const AdaptiveDiscreteFeedforward own(2, it);
  ASSERT_EQ(own.coefficient_channels().size(), 3U);
  EXPECT_EQ(own.coefficient_channels()[1].name, "theta1");
  own.copy_coefficients(1, {row, 3});
  EXPECT_EQ(row[1], own.weight(1, 1, 1));
}

TEST(AdaptiveDiscreteFeedforward, FollowsARigThatChanges) {
  AdaptiveDiscreteFeedforward compensator(1, {.tick = kTick, .initial_delay = 0.010});
  const testing::Track track =
      testing::run(compensator, {.rig = {.delay = 9, .noise = 12e-6},
                                 .changes_at = 5.0,
                                 .later = {.delay = 16, .gain = 0.95, .noise = 12e-6}});
  EXPECT_LT(track.error(3.0, 5.0), 0.03);
  EXPECT_LT(track.error(10.0, 12.0), 0.05);
}

TEST(AdaptiveDiscreteFeedforward, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change, int actuators = 1) {
    AdaptiveDiscreteFeedforwardSettings broken{.tick = kTick, .initial_delay = 0.012};
    change(broken);
    try {
      AdaptiveDiscreteFeedforward compensator(actuators, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  refuses("initial_delay", [](auto& it) { it.initial_delay = -0.1; });
  refuses("initial_delay", [](auto& it) { it.taps = 1; });  // nothing starts from it
  refuses("taps", [](auto& it) { it.taps = 9; });
  refuses(
      "taps", [](auto& it) { it.taps = 5; }, 16);
  refuses("spacing", [](auto& it) { it.spacing = 0.0; });
  refuses("memory", [](auto& it) { it.memory = kTick; });
  refuses("filter.order", [](auto& it) { it.filter.order = 9; });
  refuses("residual", [](auto& it) { it.residual = 0.0; });
  refuses("spread", [](auto& it) { it.spread = -1.0; });
  refuses("excitation_floor", [](auto& it) { it.excitation_floor = -1.0; });
}

}  // namespace
}  // namespace trestle::adaptive_discrete_feedforward_test
