#include "studies/design/saltelli_points.h"

#include <gtest/gtest.h>

#include "studies/design/random_points.h"
#include "studies/design/sobol_points.h"

namespace trestle::design {
namespace {

using Point = std::vector<double>;

TEST(SaltelliPoints, CutARowInTwoAndExchangeOneCoordinateEach) {
  const SobolPoints rows(3, 4, true);
  const SaltelliPoints points(std::make_unique<SobolPoints>(3, 4, true), 2);
  for (std::int64_t row = 0; row < 5; ++row) {
    const Point ab = rows.point(row);
    EXPECT_EQ(points.point(4 * row), (Point{ab[0], ab[1]}));
    EXPECT_EQ(points.point(4 * row + 1), (Point{ab[2], ab[3]}));
    EXPECT_EQ(points.point(4 * row + 2), (Point{ab[2], ab[1]}));
    EXPECT_EQ(points.point(4 * row + 3), (Point{ab[0], ab[3]}));
  }
}

TEST(RandomPoints, AreOtherInEachDimensionAndForEachSeed) {
  const RandomPoints points(3, 2);
  EXPECT_EQ(points.point(7), RandomPoints(3, 2).point(7));
  EXPECT_NE(points.point(7)[0], points.point(7)[1]);
  EXPECT_NE(points.point(7), points.point(8));
  EXPECT_NE(points.point(7), RandomPoints(4, 2).point(7));
}

}  // namespace
}  // namespace trestle::design
