#include "site-servers/compensators/path_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "tests/site-servers/control/enumerated_path.h"

namespace trestle::path_program_test {
namespace {

using compensators::LimitedPath;
using compensators::PathProgram;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double any(std::uint64_t seed, std::uint64_t index) {
  return standard_normal({.seed = seed, .stream = 9, .channel = 0, .index = index});
}

/// Two actuators of two knots; H = Σ qᵢqᵢᵀ + least·I.
struct Problem {
  MatrixXd hessian;
  VectorXd optimum;
  VectorXd start;
};

Problem problem(std::uint64_t seed, double least) {
  MatrixXd root(4, 4);
  Problem made{MatrixXd(4, 4), VectorXd(4), VectorXd(2)};
  for (int i = 0; i < 16; ++i)
    root(i / 4, i % 4) = any(seed, static_cast<std::uint64_t>(i));
  made.hessian = root.transpose() * root + least * MatrixXd::Identity(4, 4);
  for (int i = 0; i < 4; ++i)
    made.optimum[i] = 1.5 * any(seed, static_cast<std::uint64_t>(i) + 20);
  made.start << 0.3 * any(seed, 30), 0.3 * any(seed, 31);
  return made;
}

constexpr double kStroke[2] = {1.0, 0.6};
constexpr double kStep[2] = {0.4, 0.5};

VectorXd enumerated(const Problem& it) {
  std::vector<testing::PathLimit> limits =
      testing::path_limits(4, 0, 2, it.start[0], kStroke[0], kStep[0]);
  for (testing::PathLimit& limit :
       testing::path_limits(4, 2, 2, it.start[1], kStroke[1], kStep[1]))
    limits.push_back(limit);
  return testing::enumerated_optimum(it.hessian, it.optimum, limits);
}

PathProgram program(const Problem& it, int iterations) {
  return {it.hessian, {{kStroke[0], kStep[0]}, {kStroke[1], kStep[1]}}, iterations};
}

double projected_distance(const Problem& it) {
  VectorXd nearest = it.optimum;
  LimitedPath(kStroke[0], kStep[0]).project(it.start[0], nearest.head(2));
  LimitedPath(kStroke[1], kStep[1]).project(it.start[1], nearest.tail(2));
  return (nearest - it.optimum).norm();
}

TEST(PathProgram, FindsTheOptimumAmongActiveSets) {
  int differs = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Problem it = problem(seed, 0.5);
    const VectorXd expected = enumerated(it);
    PathProgram solver = program(it, 400);
    EXPECT_LT((solver.solve(it.optimum, it.start) - expected).norm(), 1e-9) << seed;
    // Not what the projection of the optimum without limits is.
    if ((program(it, 0).solve(it.optimum, it.start) - expected).norm() > 1e-3) ++differs;
  }
  EXPECT_GT(differs, 3);
}

TEST(PathProgram, IsWithinItsBoundOfTheOptimum) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Problem it = problem(seed, 0.5);
    const VectorXd expected = enumerated(it);
    const double distance = projected_distance(it);
    for (const int iterations : {0, 1, 3, 10, 30, 100}) {
      PathProgram solver = program(it, iterations);
      EXPECT_LE((solver.solve(it.optimum, it.start) - expected).norm(),
                solver.error_bound() * distance + 1e-12)
          << seed << " after " << iterations;
    }
  }
}

TEST(PathProgram, StatesItsBoundByTheConditionOfH) {
  const Problem it{Eigen::Vector4d(1.0, 4.0, 9.0, 16.0).asDiagonal(), VectorXd::Zero(4),
                   VectorXd::Zero(2)};
  EXPECT_NEAR(program(it, 8).condition(), 16.0, 1e-12);
  // √(2·15)·0.75⁴
  EXPECT_NEAR(program(it, 8).error_bound(), std::sqrt(30.0) * 0.31640625, 1e-12);
}

TEST(PathProgram, ReturnsAnOptimumWithinTheLimitsToTheBit) {
  Problem it = problem(3, 0.5);
  it.optimum << 0.1, 0.3, -0.05, 0.2;
  it.start.setZero();
  PathProgram solver = program(it, 25);
  EXPECT_EQ(solver.solve(it.optimum, it.start), it.optimum);
}

}  // namespace
}  // namespace trestle::path_program_test
