#include "site-servers/checks/sine_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace trestle::checks {
namespace {

/// y = 7 + a sin(2π(k − lag)/32), over four periods.
SineFit fit_of(double a, double lag) {
  SineFit fit(32);
  for (int k = 64; k < 64 + 4 * 32; ++k)
    fit.add(k, 7.0 + a * std::sin(2.0 * std::numbers::pi * (k - lag) / 32.0));
  return fit;
}

TEST(SineFit, FindsAmplitudeAndLagWhateverTheMean) {
  for (const double lag : {-7.5, 0.0, 1.0, 2.25, 7.9}) {
    const SineFit fit = fit_of(0.5, lag);
    EXPECT_EQ(fit.count(), 128);
    EXPECT_NEAR(fit.amplitude(), 0.5, 1e-13);
    EXPECT_NEAR(fit.lag(), lag, 1e-11);
    EXPECT_NEAR(fit.in_phase(), 0.5 * std::cos(2.0 * std::numbers::pi * lag / 32.0), 1e-13);
  }
}

TEST(SineFit, GivesTheLagOfAReadingThatMovesAgainstTheSine) {
  const SineFit fit = fit_of(-0.5, 2.25);
  EXPECT_LT(fit.in_phase(), 0.0);
  EXPECT_NEAR(fit.amplitude(), 0.5, 1e-13);
  EXPECT_NEAR(fit.lag(), 2.25, 1e-11);
}

}  // namespace
}  // namespace trestle::checks
