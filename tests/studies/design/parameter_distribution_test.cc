#include "studies/design/parameter_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "studies/campaign/statistics.h"

namespace trestle::design {
namespace {

constexpr std::uint64_t kDraws = 40000;

std::vector<double> drawn(const ParameterDistribution& spread) {
  std::vector<double> values;
  for (std::uint64_t run = 0; run < kDraws; ++run)
    values.push_back(draw(spread, {.seed = 5, .stream = 7, .channel = 0, .index = run}));
  return values;
}

// Four standard errors: sd/sqrt(n) of a mean, about sd/sqrt(2n) of a normal spread's sd.
double tolerance(double sd) {
  return 4.0 * sd / std::sqrt(static_cast<double>(kDraws));
}

TEST(ParameterDistribution, OfANormalHasItsMeanAndDeviation) {
  const campaign::Statistics s = campaign::statistics_of(
      drawn({.kind = ParameterDistribution::Kind::kNormal, .mean = 3.0, .sd = 0.5}));
  EXPECT_NEAR(s.mean, 3.0, tolerance(0.5));
  EXPECT_NEAR(s.sd, 0.5, tolerance(0.5));
  EXPECT_NEAR(s.p95, 3.0 + 1.644854 * 0.5, 3.0 * tolerance(0.5));
}

TEST(ParameterDistribution, OfALogNormalHasTheMeanAndDeviationOfItsValuesAndIsPositive) {
  const campaign::Statistics s = campaign::statistics_of(
      drawn({.kind = ParameterDistribution::Kind::kLogNormal, .mean = 2.0, .sd = 0.5}));
  EXPECT_NEAR(s.mean, 2.0, tolerance(0.5));
  EXPECT_NEAR(s.sd, 0.5, 2.0 * tolerance(0.5));
  EXPECT_NEAR(s.p50, 2.0 / std::sqrt(1.0 + 0.0625), 2.0 * tolerance(0.5));
  EXPECT_GT(s.lowest, 0.0);
}

TEST(ParameterDistribution, OfAUniformFillsItsInterval) {
  const campaign::Statistics s = campaign::statistics_of(
      drawn({.kind = ParameterDistribution::Kind::kUniform, .low = -1.0, .high = 3.0}));
  EXPECT_GE(s.lowest, -1.0);
  EXPECT_LT(s.highest, 3.0);
  EXPECT_NEAR(s.mean, 1.0, tolerance(4.0 / std::sqrt(12.0)));
  EXPECT_NEAR(s.sd, 4.0 / std::sqrt(12.0), tolerance(4.0 / std::sqrt(12.0)));
}

TEST(ParameterDistribution, HasTheValueOfEachProbability) {
  const ParameterDistribution normal{
      .kind = ParameterDistribution::Kind::kNormal, .mean = 3.0, .sd = 0.5};
  EXPECT_EQ(quantile(normal, 0.5), 3.0);
  EXPECT_NEAR(quantile(normal, 0.95), 3.0 + 0.5 * 1.6448536269514722, 1e-15);
  const ParameterDistribution uniform{
      .kind = ParameterDistribution::Kind::kUniform, .low = -1.0, .high = 3.0};
  EXPECT_EQ(quantile(uniform, 0.25), 0.0);
  const ParameterDistribution log_normal{
      .kind = ParameterDistribution::Kind::kLogNormal, .mean = 2.0, .sd = 0.5};
  EXPECT_NEAR(quantile(log_normal, 0.5), 2.0 / std::sqrt(1.0 + 0.0625), 1e-15);
}

}  // namespace
}  // namespace trestle::design
