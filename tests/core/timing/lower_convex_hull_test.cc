#include "core/timing/lower_convex_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/base/random.h"

namespace trestle::timing::constraint_hull_test {
namespace {

TimePoint at_us(std::int64_t us) {
  return TimePoint(Duration(us * 1000));
}

std::int64_t draw(std::uint64_t seed, int index, double most) {
  return static_cast<std::int64_t>(
      most * uniform({seed, 1, 0, static_cast<std::uint64_t>(index)}));
}

TEST(LowerConvexHull, FindsTheLowestOfAllPointsInEveryDirection) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LowerConvexHull hull;
    std::vector<LowerConvexHull::Vertex> all;
    for (int i = 0; i < 400; ++i) {
      all.push_back({at_us(100 * i), 1'000'000'000'000 + draw(seed, i, 50e3)});
      hull.add(all.back().at, all.back().value);
    }
    const TimePoint now = all.back().at;
    for (double slope = -2e-3; slope <= 2e-3; slope += 1e-4) {
      const auto height = [&](const LowerConvexHull::Vertex& corner) {
        return static_cast<double>(corner.value) +
               slope * static_cast<double>((now - corner.at).count());
      };
      double least = height(all.front());
      for (const auto& corner : all) least = std::min(least, height(corner));
      EXPECT_NEAR(height(hull.lowest(slope, now)), least, 1e-3) << seed << ' ' << slope;
    }
  }
}

TEST(LowerConvexHull, KeepsTheShapeWhereThereAreMoreCornersThanRoom) {
  // On a parabola every point is a corner: 1000 of them over 10 s, 1 ms deep.
  LowerConvexHull hull;
  const auto parabola = [](double s) {
    return 1e6 * (s / 5.0 - 1.0) * (s / 5.0 - 1.0);
  };
  for (int i = 0; i <= 1000; ++i)
    hull.add(at_us(10'000 * i), static_cast<std::int64_t>(parabola(0.01 * i)));
  // 64 corners of 1000 by chance alone would leave ten times that.
  EXPECT_LT(hull.lowest(0.0, at_us(10'000'000)).value, 10'000);
}

TEST(LowerConvexHull, TakesTheLowerOfTwoAtOnceAndNothingFromThePast) {
  LowerConvexHull hull;
  hull.add(at_us(5), 70);
  hull.add(at_us(5), 80);
  EXPECT_EQ(hull.lowest(0.0, at_us(5)).value, 70);
  hull.add(at_us(5), 60);
  hull.add(at_us(4), 10);
  EXPECT_EQ(hull.lowest(0.0, at_us(5)).value, 60);
}

}  // namespace
}  // namespace trestle::timing::constraint_hull_test
