#include "site-servers/compensators/limited_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/random.h"
#include "tests/site-servers/control/enumerated_path.h"

namespace trestle::limited_path_test {
namespace {

using compensators::LimitedPath;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNone = std::numeric_limits<double>::infinity();

double any(std::uint64_t seed, std::uint64_t index) {
  return standard_normal({.seed = seed, .stream = 4, .channel = 0, .index = index});
}

TEST(LimitedPath, ProjectsToTheNearestPath) {
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const double stroke = seed % 5 == 0 ? kNone : 0.3 + std::abs(any(seed, 0));
    const double step = seed % 7 == 0 ? kNone : 0.1 + std::abs(any(seed, 1));
    const double start = 1.5 * any(seed, 2);  // beyond the stroke, too
    VectorXd path(3);
    for (int j = 0; j < 3; ++j)
      path[j] = 1.5 * any(seed, static_cast<std::uint64_t>(j) + 3);
    const VectorXd expected = testing::enumerated_optimum(
        MatrixXd::Identity(3, 3), path, testing::path_limits(3, 0, 3, start, stroke, step));
    VectorXd projected = path;
    LimitedPath(stroke, step).project(start, projected);
    EXPECT_LT((projected - expected).norm(), 1e-12)
        << seed << ": " << projected.transpose() << " instead of " << expected.transpose();
    if (projected != path) ++moved;
  }
  EXPECT_GT(moved, 40);
}

/// The nearest path p: (v − p)·(q − p) <= 0 for every path q within the limits.
TEST(LimitedPath, ProjectsALongPathToTheNearest) {
  constexpr int kKnots = LimitedPath::kMostKnots;
  const LimitedPath limits(1.0, 0.25);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    VectorXd path(kKnots);
    for (int j = 0; j < kKnots; ++j)
      path[j] = 2.0 * any(seed, static_cast<std::uint64_t>(j));
    const double start = 0.5 * any(seed, 100);
    VectorXd nearest = path;
    limits.project(start, nearest);
    double before = start;
    for (int j = 0; j < kKnots; ++j) {
      EXPECT_LE(std::abs(nearest[j] - before), 0.25 + 1e-15);
      EXPECT_LE(std::abs(nearest[j]), limits.stroke_at(start, j) + 1e-15);
      before = nearest[j];
    }
    for (std::uint64_t other = 0; other < 50; ++other) {
      VectorXd path_within(kKnots);
      double at = start;
      for (int j = 0; j < kKnots; ++j) {
        const double move =
            0.25 * std::tanh(any(1000 + other, static_cast<std::uint64_t>(j)));
        const double most = limits.stroke_at(start, j);
        at = std::min(std::max(at + move, -most), most);
        path_within[j] = at;
      }
      ASSERT_TRUE(limits.contains(start, path_within));
      EXPECT_LE((path - nearest).dot(path_within - nearest), 1e-12) << seed << " " << other;
    }
  }
}

TEST(LimitedPath, LeavesEveryBitOfAPathWithinTheLimits) {
  const VectorXd path = (VectorXd(3) << 0.1, 0.3, 0.2 + 1e-17).finished();
  VectorXd same = path;
  LimitedPath(0.31, 0.21).project(0.05, same);
  EXPECT_EQ(same, path);
}

TEST(LimitedPath, ReturnsAtTheStepFromBeyondTheStroke) {
  VectorXd path = VectorXd::Zero(4);
  LimitedPath(1.0, 0.2).project(1.5, path);
  EXPECT_NEAR(path[0], 1.3, 1e-15);
  EXPECT_NEAR(path[1], 1.1, 1e-15);
  EXPECT_NEAR(path[3], 0.7, 1e-15);
  path.setConstant(9.0);
  LimitedPath(1.0, 0.2).project(1.5, path);
  EXPECT_NEAR(path[0], 1.3, 1e-15);
  EXPECT_NEAR(path[2], 1.0, 1e-15);
}

TEST(LimitedPath, LeavesWhatIsNoNumber) {
  VectorXd path = VectorXd::Constant(3, std::nan(""));
  LimitedPath(1.0, 0.2).project(0.0, path);
  EXPECT_TRUE(std::isnan(path[0]));
  path.setConstant(5.0);
  LimitedPath(1.0, 0.2).project(std::nan(""), path);
  EXPECT_EQ(path[0], 5.0);
}

}  // namespace
}  // namespace trestle::limited_path_test
