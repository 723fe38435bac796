#include "studies/design/sobol_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace trestle::design {
namespace {

using Point = std::vector<double>;

TEST(SobolPoints, AreThoseOfJoeAndKuo) {
  const SobolPoints points(1, 3, false);
  EXPECT_EQ(points.point(0), (Point{0.5, 0.5, 0.5}));
  EXPECT_EQ(points.point(1), (Point{0.75, 0.25, 0.25}));
  EXPECT_EQ(points.point(2), (Point{0.25, 0.75, 0.75}));
  EXPECT_EQ(points.point(3), (Point{0.375, 0.375, 0.625}));
}

TEST(SobolPoints, AreTheSameAloneAndInAnyOrder) {
  for (const bool scramble : {false, true}) {
    const SobolPoints points(9, 5, scramble);
    std::vector<Point> forward;
    for (std::int64_t i = 0; i < 70; ++i) forward.push_back(points.point(i));
    for (std::int64_t i = 69; i >= 0; --i)
      EXPECT_EQ(SobolPoints(9, 5, scramble).point(i), forward[static_cast<std::size_t>(i)]);
    EXPECT_EQ(std::set<Point>(forward.begin(), forward.end()).size(), 70u);
  }
}

TEST(SobolPoints, MoveOnlyTheDimensionsThatASeedScrambles) {
  EXPECT_NE(SobolPoints(1, 2, true).point(5), SobolPoints(2, 2, true).point(5));
  EXPECT_EQ(SobolPoints(1, 2, false).point(5), SobolPoints(2, 2, false).point(5));
}

// Scrambling keeps the net: of 2^m points in two dimensions each elementary interval of
// volume 2^-m has exactly one, whatever its shape. Point 0 belongs to it.
TEST(SobolPoints, FillEachElementaryIntervalOnce) {
  constexpr int kPower = 8;
  constexpr std::int64_t kCount = 1 << kPower;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const SobolPoints points(seed, 2, true);
    for (int across = 0; across <= kPower; ++across) {
      std::set<std::pair<int, int>> cells;
      for (std::int64_t i = 0; i < kCount; ++i) {
        const Point point = points.point(i);
        ASSERT_GT(point[0], 0.0);
        ASSERT_LT(point[0], 1.0);
        cells.emplace(static_cast<int>(std::ldexp(point[0], across)),
                      static_cast<int>(std::ldexp(point[1], kPower - across)));
      }
      EXPECT_EQ(cells.size(), static_cast<std::size_t>(kCount)) << seed << " " << across;
    }
  }
}

// Points 0 and 1 begin with the digits 00 and 10. Whether the second digit is turned
// depends on the first one, so that the two agree for half of the seeds; a mere shift would
// keep both alike for all.
TEST(SobolPoints, TurnEachDigitByTheDigitsBeforeIt) {
  int alike = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SobolPoints points(seed, 1, true);
    const auto second_digit = [&](std::int64_t index) {
      return static_cast<int>(4.0 * points.point(index)[0]) % 2;
    };
    alike += second_digit(0) == second_digit(1) ? 1 : 0;
  }
  EXPECT_GT(alike, 70);
  EXPECT_LT(alike, 130);
}

// A scrambled point alone is uniform over the seeds: the mean of x² is a third.
TEST(SobolPoints, AreUniformOverTheSeeds) {
  constexpr int kSeeds = 4000;
  for (const std::int64_t index : {0, 1, 37}) {
    double sum = 0.0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const double x = SobolPoints(seed, 3, true).point(index)[2];
      sum += x * x;
    }
    // The variance of x² is 4/45.
    EXPECT_NEAR(sum / kSeeds, 1.0 / 3.0, 4.0 * std::sqrt(4.0 / 45.0 / kSeeds)) << index;
  }
}

}  // namespace
}  // namespace trestle::design
