#include "studies/sensitivity/sobol_indices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "studies/design/random_points.h"
#include "studies/design/saltelli_points.h"
#include "studies/design/sobol_points.h"

namespace trestle::sensitivity {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

std::vector<std::vector<double>> rows_of(const Function& function,
                                         const design::UnitPoints& points,
                                         std::size_t parameters, std::int64_t count) {
  std::vector<std::vector<double>> rows;
  std::int64_t at = 0;
  for (std::int64_t row = 0; row < count; ++row) {
    rows.emplace_back();
    for (std::size_t i = 0; i < design::SaltelliPoints::row_size(parameters); ++i)
      rows.back().push_back(function(points.point(at++)));
  }
  return rows;
}

SobolIndices indices_of(const Function& function, std::size_t parameters,
                        std::int64_t count, bool scramble, int replicates = 0) {
  const design::SaltelliPoints points(
      std::make_unique<design::SobolPoints>(1, 2 * parameters, scramble), parameters);
  return sobol_indices(rows_of(function, points, parameters, count), parameters,
                       {.replicates = replicates, .seed = 1});
}

double ishigami(const std::vector<double>& u) {
  const auto angle = [&](std::size_t i) {
    return (2.0 * u[i] - 1.0) * std::numbers::pi;
  };
  return std::sin(angle(0)) + 7.0 * std::pow(std::sin(angle(1)), 2) +
         0.1 * std::pow(angle(2), 4) * std::sin(angle(0));
}

double g_function(const std::vector<double>& u) {
  constexpr double kWeights[] = {0, 1, 4.5, 9, 99, 99, 99, 99};
  double product = 1.0;
  for (std::size_t i = 0; i < 8; ++i)
    product *= (std::abs(4.0 * u[i] - 2.0) + kWeights[i]) / (1.0 + kWeights[i]);
  return product;
}

// Closed forms of Ishigami and Homma (1990) and of Saltelli and Sobol' (1995).
const std::vector<double> kIshigamiFirst{0.313905, 0.442411, 0.0};
const std::vector<double> kIshigamiTotal{0.557589, 0.442411, 0.243684};
const std::vector<double> kGFirst{0.716192, 0.179048, 0.023676, 0.007162,
                                  0.000072, 0.000072, 0.000072, 0.000072};
const std::vector<double> kGTotal{0.787144, 0.242198, 0.034317, 0.010460,
                                  0.000105, 0.000105, 0.000105, 0.000105};

TEST(SobolIndices, OfTheIshigamiFunctionAreThoseOfItsClosedForm) {
  for (const bool scramble : {false, true}) {
    const SobolIndices found = indices_of(ishigami, 3, 4096, scramble);
    // A scrambled sequence is one of many: its errors are not those of the reference.
    const double error = scramble ? 0.008 : 0.003;
    EXPECT_NEAR(found.mean, 3.5, 0.01);
    EXPECT_NEAR(found.variance, 13.844588, 30.0 * error);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.first[i].value, kIshigamiFirst[i], error) << scramble << i;
      EXPECT_NEAR(found.total[i].value, kIshigamiTotal[i], error) << scramble << i;
    }
  }
}

TEST(SobolIndices, OfTheGFunctionAreThoseOfItsClosedForm) {
  for (const bool scramble : {false, true}) {
    const SobolIndices found = indices_of(g_function, 8, 4096, scramble);
    const double error = scramble ? 0.008 : 0.003;
    EXPECT_NEAR(found.variance, 0.465424, error);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(found.first[i].value, kGFirst[i], error) << scramble << i;
      EXPECT_NEAR(found.total[i].value, kGTotal[i], error) << scramble << i;
    }
  }
}

// Nine in ten intervals of 95 %, of independent rows, hold the truth at the least.
TEST(SobolIndices, HaveIntervalsThatHoldTheTruth) {
  int held = 0;
  int intervals = 0;
  double widest = 0.0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const design::SaltelliPoints points(std::make_unique<design::RandomPoints>(seed, 6), 3);
    const SobolIndices found = sobol_indices(rows_of(ishigami, points, 3, 512), 3,
                                             {.replicates = 400, .seed = seed});
    for (std::size_t i = 0; i < 3; ++i)
      for (const auto& [estimate, truth] : {std::pair(found.first[i], kIshigamiFirst[i]),
                                            std::pair(found.total[i], kIshigamiTotal[i])}) {
        ++intervals;
        held += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
        EXPECT_LE(estimate.low, estimate.value);
        EXPECT_GE(estimate.high, estimate.value);
        widest = std::max(widest, estimate.high - estimate.low);
      }
  }
  EXPECT_GT(held, 9 * intervals / 10);
  EXPECT_LT(widest, 0.6);
}

TEST(SobolIndices, DoNotSufferFromALargeMean) {
  const SobolIndices plain = indices_of(ishigami, 3, 256, true);
  const SobolIndices moved =
      indices_of([](const auto& u) { return 1e6 + ishigami(u); }, 3, 256, true);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(moved.first[i].value, plain.first[i].value, 1e-8);
}

TEST(SobolIndices, OfAConstantAreNone) {
  const SobolIndices found = indices_of([](const auto&) { return 2.0; }, 2, 16, true, 10);
  EXPECT_EQ(found.mean, 2.0);
  EXPECT_TRUE(std::isnan(found.first[0].value));
  EXPECT_TRUE(std::isnan(found.total[1].high));
  EXPECT_TRUE(std::isnan(sobol_indices({}, 2, {}).mean));
}

}  // namespace
}  // namespace trestle::sensitivity
