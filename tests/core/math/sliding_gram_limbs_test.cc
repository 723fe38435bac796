#include "core/math/sliding_gram_limbs.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/random.h"
#include "core/math/sliding_gram_matrix.h"

namespace trestle::math {
namespace {

using lanes::is_set;
using lanes::of_lane;
using lanes::Pack;

constexpr int kColumns = 4;
using Samples = std::array<double, kColumns>;

/// Rows from the resolution of the fixed point up to the largest that limbs hold, with
/// exact zeros and halves of the resolution among them.
Samples row(int n, std::uint64_t seed) {
  Samples values{};
  for (int i = 0; i < kColumns; ++i) {
    const double x = standard_normal({.seed = seed,
                                      .stream = 1,
                                      .channel = static_cast<std::uint32_t>(i),
                                      .index = static_cast<std::uint64_t>(n)});
    values[static_cast<std::size_t>(i)] = std::ldexp(x, n % 9 == 0 ? -42 : n % 12 * 4 - 40);
  }
  if (n % 5 == 0) values[1] = 0.0;
  if (n % 7 == 0) values[2] = std::ldexp(n % 2 == 0 ? 2.5 : -2.5, -41);
  if (n % 11 == 0) values[3] = n % 2 == 0 ? 1023.75 : -1023.75;
  return values;
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

TEST(SlidingGramLimbs, HoldTheBitsOfTheWholeNumbers) {
  for (const int window : {1, 2, 37}) {
    SlidingGramMatrix whole(kColumns, window);
    SlidingGramLimbs<double> limbs;
    limbs.resize(kColumns, window);
    for (int n = 0; n < 500; ++n) {
      const Samples values = row(n, 3);
      whole.add(values.data());
      limbs.add(values.data());
      ASSERT_EQ(limbs.full(), whole.full());
      for (int i = 0; i < kColumns; ++i)
        for (int j = 0; j <= i; ++j)
          ASSERT_EQ(bits(limbs.sum(i, j)), bits(whole.sum(i, j)))
              << "window " << window << ", row " << n << ", sum " << i << j;
    }
    EXPECT_FALSE(limbs.left());
  }
}

TEST(SlidingGramLimbs, MarkTheLaneBeyondTheirRangeAndKeepTheOther) {
  for (const double wrong : {1024.0, -5000.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    SlidingGramMatrix whole(kColumns, 16);
    SlidingGramLimbs<Pack<2>> limbs;
    limbs.resize(kColumns, 16);
    for (int n = 0; n < 60; ++n) {
      const Samples values = row(n, 4);
      std::array<Pack<2>, kColumns> both;
      for (std::size_t i = 0; i < kColumns; ++i) {
        both[i].set(0, values[i]);
        both[i].set(1, n == 20 && i == 2 ? wrong : values[i]);
      }
      whole.add(values.data());
      limbs.add(both.data());
      EXPECT_FALSE(is_set(limbs.left(), 0));
      EXPECT_EQ(is_set(limbs.left(), 1), n >= 20) << wrong << " at row " << n;
      for (int i = 0; i < kColumns; ++i)
        for (int j = 0; j <= i; ++j)
          ASSERT_EQ(bits(of_lane(limbs.sum(i, j), 0)), bits(whole.sum(i, j)));
    }
  }
}

/// 2^22 of the unit's square: 1023.75² four times and a little.
TEST(SlidingGramLimbs, MarkASumBeyondTheirRange) {
  SlidingGramLimbs<double> limbs;
  limbs.resize(1, 64);
  const double value = 1023.75;
  for (int n = 1; n <= 6; ++n) {
    limbs.add(&value);
    EXPECT_EQ(limbs.left(), n * value * value > 0x1p22) << n;
  }
}

}  // namespace
}  // namespace trestle::math
