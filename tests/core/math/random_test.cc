#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::math {
namespace {

constexpr std::uint64_t kCount = 20000;

/// Mean of the product of two streams of values.
template <typename First, typename Second>
double correlation(First first, Second second) {
  double sum = 0.0;
  for (std::uint64_t i = 0; i < kCount; ++i) sum += first(i) * second(i);
  return sum / static_cast<double>(kCount);
}

auto noise(std::uint64_t seed, const char* site, std::uint64_t channel) {
  return [=](std::uint64_t index) {
    return standard_normal({seed, stream_id(site), channel, index});
  };
}

TEST(Random, BitsAreThoseOfThePublishedGenerator) {
  // Known answers of Random123 for philox4x64-10, counter and key zero.
  const std::array<std::uint64_t, 4> zero = random_bits({});
  EXPECT_EQ(zero[0], 0x16554d9eca36314cU);
  EXPECT_EQ(zero[1], 0xdb20fe9d672d0fdcU);
  EXPECT_EQ(zero[2], 0xd7e772cee186176bU);
  EXPECT_EQ(zero[3], 0x7e68b68aec7ba23bU);
}

TEST(Random, NormalValuesHaveMeanZeroAndDeviationOne) {
  const auto one = [](std::uint64_t) {
    return 1.0;
  };
  const auto values = noise(7, "west", 0);
  // Four standard errors: 1/√n, √(2/n), √(96/n).
  const double root = std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(correlation(values, one), 0.0, 4.0 / root);
  EXPECT_NEAR(correlation(values, values), 1.0, 4.0 * std::sqrt(2.0) / root);
  const auto square = [&](std::uint64_t i) {
    return values(i) * values(i);
  };
  EXPECT_NEAR(correlation(square, square), 3.0, 4.0 * std::sqrt(96.0) / root);
}

TEST(Random, SeedsSitesChannelsAndNeighboursKnowNothingOfOneAnother) {
  const double bound = 4.0 / std::sqrt(static_cast<double>(kCount));
  const auto values = noise(7, "west", 0);
  EXPECT_NEAR(correlation(values, noise(8, "west", 0)), 0.0, bound);
  EXPECT_NEAR(correlation(values, noise(7, "east", 0)), 0.0, bound);
  EXPECT_NEAR(correlation(values, noise(7, "west", 1)), 0.0, bound);
  const auto next = [&](std::uint64_t i) {
    return values(i + 1);
  };
  EXPECT_NEAR(correlation(values, next), 0.0, bound);
}

TEST(Random, AValueDependsOnItsPlaceAlone) {
  const RandomKey place{7, stream_id("west"), 3, 1000};
  const double first = standard_normal(place);
  standard_normal({7, 0, 3, 999});
  EXPECT_EQ(standard_normal(place), first);
}

TEST(Random, UniformValuesFillTheirInterval) {
  const auto one = [](std::uint64_t) {
    return 1.0;
  };
  const auto values = [](std::uint64_t i) {
    return uniform({1, 2, 3, i});
  };
  EXPECT_NEAR(correlation(values, one), 0.5, 4.0 * std::sqrt(1.0 / 12.0 / kCount));
  for (std::uint64_t i = 0; i < kCount; ++i) {
    EXPECT_GE(values(i), 0.0);
    EXPECT_LT(values(i), 1.0);
  }
}

}  // namespace
}  // namespace trestle::math
