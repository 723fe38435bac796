#include "site-servers/compensators/adaptive_polynomial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::adaptive_polynomial_test {
namespace {

using testing::run;
using testing::Track;

constexpr double kTick = 1.0 / 1024.0;

compensators::AdaptivePolynomialSettings settings() {
  return {.tick = kTick, .delay = 0.010};
}

TEST(AdaptivePolynomial, FindsTheDelayItWasNotTold) {
  compensators::AdaptivePolynomial compensator(1, settings());
  const Track track = run(compensator, {.rig = {.delay = 18}});
  EXPECT_NEAR(compensator.delay(0), 18 * kTick, 0.0005);
  EXPECT_NEAR(compensator.amplitude(0), 1.0, 0.01);
  EXPECT_LT(track.error(8.0, 12.0), 0.01);
}

TEST(AdaptivePolynomial, FindsTheAmplitudeItWasNotTold) {
  compensators::AdaptivePolynomial compensator(1, settings());
  const Track track =
      run(compensator, {.duration = 20.0, .rig = {.delay = 12, .gain = 0.9}});
  EXPECT_NEAR(compensator.amplitude(0), 0.9, 0.01);
  EXPECT_LT(track.error(16.0, 20.0), 0.01);
}

TEST(AdaptivePolynomial, FollowsAFirstOrderLagWithinItsModel) {
  // Delay and amplitude differ from tone to tone; uncompensated: 0.20.
  compensators::AdaptivePolynomial compensator(1, settings());
  EXPECT_LT(run(compensator, {.rig = {.lag = 0.02}}).error(8.0, 12.0), 0.03);
}

TEST(AdaptivePolynomial, IsNotDisturbedByNoise) {
  compensators::AdaptivePolynomial compensator(1, settings());
  EXPECT_LT(run(compensator, {.rig = {.delay = 18, .noise = 12e-6}}).error(8.0, 12.0),
            0.01);
}

TEST(AdaptivePolynomial, FollowsARigThatChanges) {
  compensators::AdaptivePolynomial compensator(1, settings());
  run(compensator, {.duration = 20.0,
                    .rig = {.delay = 12},
                    .changes_at = 8.0,
                    .later = {.delay = 20, .gain = 0.95}});
  EXPECT_NEAR(compensator.delay(0), 20 * kTick, 0.001);
  EXPECT_NEAR(compensator.amplitude(0), 0.95, 0.01);
}

TEST(AdaptivePolynomial, WithoutGainsExtrapolatesPolynomialsExactly) {
  for (int order = 1; order <= 4; ++order) {
    compensators::AdaptivePolynomialSettings fixed = settings();
    fixed.order = order;
    fixed.delay_gain = 0.0;
    fixed.amplitude_gain = 0.0;
    compensators::AdaptivePolynomial compensator(1, fixed);
    const auto motion = [order](double t) {
      return 0.01 - 0.3 * t + 0.8 * std::pow(t, order);
    };
    ActuatorVector found;
    double t = 0.0;
    for (int n = 0; n <= 200; ++n) {
      t = n * kTick;
      ActuatorMotion target = ActuatorMotion::zero(1);
      target.displacement[0] = motion(t);
      found = compensator.command(target, ActuatorVector::Zero(1), ActuatorVector::Zero(1));
    }
    EXPECT_NEAR(found[0], motion(t + 0.010), 1e-12) << order;
  }
}

TEST(AdaptivePolynomial, KeepsTheDelayWithinItsBounds) {
  compensators::AdaptivePolynomialSettings narrow = settings();
  narrow.longest_delay = 0.012;
  compensators::AdaptivePolynomial compensator(1, narrow);
  run(compensator, {.rig = {.delay = 30}});
  EXPECT_EQ(compensator.delay(0), 0.012);
  compensators::AdaptivePolynomial ahead(1, settings());
  // A rig that arrives before its command: the target leads the command.
  run(ahead, {.rig = {.delay = 0}});
  EXPECT_GE(ahead.delay(0), 0.0);
  EXPECT_LT(ahead.delay(0), 0.001);
}

TEST(AdaptivePolynomial, RefusesASettingThatCannotWork) {
  const auto refuses = [](auto change) {
    compensators::AdaptivePolynomialSettings broken = settings();
    change(broken);
    EXPECT_THROW(compensators::AdaptivePolynomial(1, broken), SettingError);
  };
  refuses([](auto& it) { it.delay = -0.01; });
  refuses([](auto& it) { it.order = 5; });
  refuses([](auto& it) { it.points = 3; });
  refuses([](auto& it) { it.delay_gain = 2000.0; });
  refuses([](auto& it) { it.amplitude_gain = 1.1; });
  refuses([](auto& it) { it.longest_delay = 0.009; });
  refuses([](auto& it) { it.excitation_floor = -1.0; });
}

}  // namespace
}  // namespace trestle::adaptive_polynomial_test
