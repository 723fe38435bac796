#include "site-servers/compensators/polynomial_extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"

namespace trestle::polynomial_extrapolation_test {
namespace {

constexpr double kTick = 1e-3;

double command(compensators::PolynomialExtrapolation& compensator, double target) {
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  stroke.displacement[0] = target;
  return compensator.command(stroke, stroke.displacement, stroke.displacement)[0];
}

TEST(PolynomialExtrapolation, HasTheCoefficientsOfHoriuchi) {
  const double expected[4][5] = {{2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
  for (int order = 1; order <= 4; ++order) {
    const compensators::PolynomialExtrapolation compensator(
        1, {.tick = kTick, .delay = 12 * kTick, .order = order});
    for (int i = 0; i <= order; ++i)
      EXPECT_NEAR(compensator.coefficients(0)[static_cast<std::size_t>(i)],
                  expected[order - 1][i], 1e-12);
  }
}

TEST(PolynomialExtrapolation, IsExactOnPolynomialsOfItsOrder) {
  for (int order = 1; order <= 4; ++order) {
    for (const double delay : {0.3e-3, 1e-3, 7.4e-3, 12e-3, 12.5e-3}) {
      compensators::PolynomialExtrapolation compensator(
          1, {.tick = kTick, .delay = delay, .order = order});
      const auto motion = [order](double t) {
        return 0.01 - 0.3 * t + 0.8 * std::pow(t, order);
      };
      double found = 0.0;
      double t = 0.0;
      for (int n = 0; n <= 100; ++n) {
        t = n * kTick;
        found = command(compensator, motion(t));
      }
      // Weights of at most 30 times rounding of a centimetre, and the delay's own rounding.
      EXPECT_NEAR(found, motion(t + delay), 1e-14) << order << " at " << delay;
    }
  }
}

TEST(PolynomialExtrapolation, WithoutDelayCommandsTheTarget) {
  compensators::PolynomialExtrapolation compensator(
      1, {.tick = kTick, .delay = 0.0, .order = 4});
  for (int n = 0; n < 20; ++n) {
    const double target = std::sin(0.7 * n);
    EXPECT_EQ(command(compensator, target), target);
  }
}

TEST(PolynomialExtrapolation, BeginsAtRestAtTheFirstTarget) {
  compensators::PolynomialExtrapolation compensator(
      1, {.tick = kTick, .delay = 12.3e-3, .order = 3});
  for (int n = 0; n < 50; ++n) EXPECT_EQ(command(compensator, 0.017), 0.017);
}

TEST(PolynomialExtrapolation, ResetForgetsTheRun) {
  compensators::PolynomialExtrapolation compensator(
      1, {.tick = kTick, .delay = 3e-3, .order = 2});
  for (int n = 0; n < 10; ++n) command(compensator, 0.001 * n * n);
  compensator.reset();
  EXPECT_EQ(command(compensator, -0.02), -0.02);
}

TEST(PolynomialExtrapolation, GoesOnFromASnapshotToTheBit) {
  const compensators::PolynomialSettings settings{
      .tick = kTick, .delay = 3.3e-3, .order = 3};
  compensators::PolynomialExtrapolation compensator(1, settings);
  for (int n = 0; n < 17; ++n) command(compensator, std::sin(0.1 * n));
  SnapshotWriter writer;
  compensator.save(writer);
  compensators::PolynomialExtrapolation twin(1, settings);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int n = 17; n < 40; ++n)
    EXPECT_EQ(command(twin, std::sin(0.1 * n)), command(compensator, std::sin(0.1 * n)));
}

TEST(PolynomialExtrapolation, GivesEachActuatorItsDelay) {
  compensators::PolynomialExtrapolation compensator(
      2, {.tick = kTick,
          .delay = compensators::PerActuator(std::vector<double>{4e-3, 9.5e-3}),
          .order = 2});
  ActuatorMotion target = ActuatorMotion::zero(2);
  ActuatorVector found;
  for (int n = 0; n < 40; ++n) {
    target.displacement.setConstant(0.1 * n * kTick);
    found = compensator.command(target, target.displacement, target.displacement);
  }
  EXPECT_NEAR(found[0], 0.1 * (39 * kTick + 4e-3), 1e-14);
  EXPECT_NEAR(found[1], 0.1 * (39 * kTick + 9.5e-3), 1e-14);
}

TEST(PolynomialExtrapolation, RefusesASettingThatCannotWork) {
  const auto make = [](double delay, int order) {
    return compensators::PolynomialExtrapolation(
        1, {.tick = kTick, .delay = delay, .order = order});
  };
  EXPECT_THROW(make(0.01, 0), SettingError);
  EXPECT_THROW(make(0.01, 5), SettingError);
  EXPECT_THROW(make(-0.01, 3), SettingError);
  EXPECT_THROW(make(std::nan(""), 3), SettingError);
  EXPECT_THROW(make(11.0, 3), SettingError);
  EXPECT_THROW(compensators::PolynomialExtrapolation(
                   2, {.tick = kTick,
                       .delay = compensators::PerActuator(std::vector<double>(3, 0.01))}),
               SettingError);
}

}  // namespace
}  // namespace trestle::polynomial_extrapolation_test
