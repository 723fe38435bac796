#include "site-servers/compensators/inverse_compensation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::inverse_compensation_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;
using Form = compensators::InverseSettings::Form;

double command(compensators::InverseCompensation& compensator, double target) {
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  stroke.displacement[0] = target;
  return compensator.command(stroke, stroke.displacement, stroke.displacement)[0];
}

TEST(InverseCompensation, HasThePublishedCoefficients) {
  const compensators::InverseSettings plus{
      .tick = kTick, .delay = compensators::PerActuator(std::vector<double>{0.060, 0.025})};
  compensators::InverseSettings minus = plus;
  minus.form = Form::kLagMinusOne;
  EXPECT_NEAR(compensators::InverseCompensation(2, plus).coefficient(0), 62.44, 1e-12);
  EXPECT_NEAR(compensators::InverseCompensation(2, plus).coefficient(1), 26.6, 1e-12);
  EXPECT_NEAR(compensators::InverseCompensation(2, minus).coefficient(0), 60.44, 1e-12);
  EXPECT_NEAR(compensators::InverseCompensation(2, minus).coefficient(1), 24.6, 1e-12);
}

TEST(InverseCompensation, LeadsARampByTheDelay) {
  compensators::InverseCompensation compensator(1, {.tick = kTick, .delay = 0.0125});
  command(compensator, 0.0);
  for (int n = 1; n < 20; ++n)
    EXPECT_NEAR(command(compensator, 0.3 * n * kTick), 0.3 * (n * kTick + 0.0125), 1e-15);
}

TEST(InverseCompensation, InvertsAFirstOrderLag) {
  // The lag held over a tick, exp(-δt/T) = 1 - 1/a: u = a x - (a-1) x[k-1].
  const double lag = 0.02;
  const double a = 1.0 / (1.0 - std::exp(-kTick / lag));
  compensators::InverseCompensation compensator(
      1, {.tick = kTick, .delay = (a - 1.0) * kTick});
  EXPECT_LT(testing::run(compensator, {.rig = {.lag = lag}}).error(0.0, 10.0), 1e-12);
}

TEST(InverseCompensation, BeginsAtRestAtTheFirstTarget) {
  compensators::InverseCompensation compensator(1, {.tick = kTick, .delay = 0.02});
  EXPECT_EQ(command(compensator, 0.017), 0.017);
  EXPECT_EQ(command(compensator, 0.017), 0.017);
  compensator.reset();
  EXPECT_EQ(command(compensator, -0.1), -0.1);
}

TEST(InverseCompensation, RefusesASettingThatCannotWork) {
  const auto make = [](compensators::PerActuator delay, Form form) {
    return compensators::InverseCompensation(
        2, {.tick = kTick, .delay = std::move(delay), .form = form});
  };
  EXPECT_THROW(make(-0.01, Form::kLagPlusOne), SettingError);
  EXPECT_THROW(make(std::nan(""), Form::kLagPlusOne), SettingError);
  EXPECT_THROW(make(1.9 * kTick, Form::kLagMinusOne), SettingError);
  EXPECT_THROW(
      make(compensators::PerActuator(std::vector<double>(3, 0.01)), Form::kLagPlusOne),
      SettingError);
}

}  // namespace
}  // namespace trestle::inverse_compensation_test
