#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "studies/pretest/delay_margin.h"
#include "studies/pretest/spectral_radius.h"

namespace trestle::pretest::search_test {
namespace {

using Eigen::MatrixXd;

TEST(SpectralRadius, IsTheLargestModulusOfTheEigenvalues) {
  MatrixXd turning(2, 2);  // 0.9 e^(±0.3 i)
  turning << 0.9 * std::cos(0.3), -0.9 * std::sin(0.3), 0.9 * std::sin(0.3),
      0.9 * std::cos(0.3);
  EXPECT_NEAR(spectral_radius(turning), 0.9, 1e-14);
  MatrixXd companion(3, 3);  // (z − 0.5)(z + 0.98)(z − 0.2)
  companion << -0.28, 0.586, -0.098, 1, 0, 0, 0, 1, 0;
  EXPECT_NEAR(spectral_radius(companion), 0.98, 1e-13);
}

TEST(SpectralRadius, BearsStatesOfVeryDifferentSize) {
  MatrixXd turning(2, 2);
  turning << std::cos(0.01), -1e9 * std::sin(0.01), 1e-9 * std::sin(0.01), std::cos(0.01);
  EXPECT_NEAR(spectral_radius(turning), 1.0, 1e-13);
}

TEST(SpectralRadius, LeavesOutWhatInfluencesNothingAndWhatNothingMoves) {
  MatrixXd step = MatrixXd::Zero(5, 5);
  step(0, 0) = 0.5;  // the loop
  step(0, 1) = 2.0;  // is fed by what nothing moves
  step(1, 1) = 1.0;
  step(2, 0) = 3.0;  // an output with a memory that is not read
  step(3, 2) = 1.0;
  step(4, 4) = 0.0;
  EXPECT_EQ(remove_unreachable_states(step), MatrixXd::Constant(1, 1, 0.5));
  EXPECT_EQ(spectral_radius(step), 0.5);
  EXPECT_EQ(spectral_radius(MatrixXd::Identity(2, 2)), 0.0);
}

TEST(SpectralRadius, OfWhatIsNotFiniteIsInfinite) {
  EXPECT_TRUE(std::isinf(
      spectral_radius(MatrixXd::Constant(1, 1, std::numeric_limits<double>::quiet_NaN()))));
}

constexpr double kTick = 1e-3;

DelayMargin margin_at(double threshold) {
  return delay_margin([threshold](double delay) { return delay > threshold; }, kTick,
                      300.0);
}

TEST(DelayMargin, IsFoundToAFewThousandthsOfATick) {
  for (const double threshold : {0.0021, 0.01234, 0.0159, 0.0161, 0.123456, 0.2}) {
    const DelayMargin found = margin_at(threshold);
    EXPECT_FALSE(found.at_least);
    EXPECT_LE(found.delay, threshold * (1.0 + 1e-12));
    EXPECT_GE(found.delay, threshold - kTick / 256.0);
  }
}

TEST(DelayMargin, IsZeroWhereAnyDelayIsTooMuch) {
  const DelayMargin found = margin_at(0.0);
  EXPECT_EQ(found.delay, 0.0);
  EXPECT_FALSE(found.at_least);
}

TEST(DelayMargin, SaysHowFarItLookedWhereNothingIsTooMuch) {
  const DelayMargin found = margin_at(1e9);
  EXPECT_TRUE(found.at_least);
  EXPECT_GE(found.delay, 300.0 * kTick);
}

TEST(DelayMargin, IsTheSmallestDelayEvenWhereALargerOneIsBorneAgain) {
  const DelayMargin found =
      delay_margin([](double delay) { return delay > 3.2 * kTick && delay < 4.5 * kTick; },
                   kTick, 300.0);
  EXPECT_NEAR(found.delay, 3.2 * kTick, kTick / 256.0);
}

}  // namespace
}  // namespace trestle::pretest::search_test
