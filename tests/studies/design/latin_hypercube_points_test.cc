#include "studies/design/latin_hypercube_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace trestle::design {
namespace {

TEST(LatinHypercubePoints, LieOnceInEachIntervalOfEachDimension) {
  for (const std::int64_t count : {1, 2, 7, 100, 1000}) {
    const LatinHypercubePoints points(3, 4, count);
    std::vector<std::vector<int>> seen(4,
                                       std::vector<int>(static_cast<std::size_t>(count)));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::vector<double> point = points.point(i);
      ASSERT_EQ(point.size(), 4u);
      for (std::size_t d = 0; d < 4; ++d) {
        EXPECT_GT(point[d], 0.0);
        ASSERT_LT(point[d], 1.0);
        ++seen[d][static_cast<std::size_t>(point[d] * static_cast<double>(count))];
      }
    }
    for (const auto& column : seen)
      EXPECT_EQ(column, std::vector<int>(static_cast<std::size_t>(count), 1)) << count;
  }
}

TEST(LatinHypercubePoints, DoNotPairTheirDimensions) {
  constexpr std::int64_t kCount = 200;
  constexpr int kSeeds = 200;
  double squares = 0.0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const LatinHypercubePoints points(seed, 2, kCount);
    double covariance = 0.0;
    for (std::int64_t i = 0; i < kCount; ++i) {
      const auto point = points.point(i);
      covariance += (point[0] - 0.5) * (point[1] - 0.5);
    }
    squares += std::pow(12.0 * covariance / kCount, 2);  // of the correlation
  }
  // Its variance is 1/count; that of its square is 2/count².
  EXPECT_NEAR(squares / kSeeds * kCount, 1.0, 4.0 * std::sqrt(2.0 / kSeeds));
}

}  // namespace
}  // namespace trestle::design
