#include "studies/controller_design/game_riccati.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/base/random.h"

namespace trestle::game_riccati_test {
namespace {

using controller_design::refine_riccati;
using controller_design::riccati_residual;
using controller_design::solve_game_riccati;
using Eigen::MatrixXd;

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint32_t stream) {
  MatrixXd matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      matrix(i, j) = standard_normal({.seed = 9,
                                      .stream = stream,
                                      .channel = static_cast<std::uint32_t>(i),
                                      .index = static_cast<std::uint64_t>(j)});
  return matrix;
}

/// A stable F, an indefinite G and any symmetric X make the equation that X solves.
TEST(GameRiccati, FindsTheSolutionFromWhichTheEquationWasMade) {
  for (const Eigen::Index n : {1, 2, 7, 20}) {
    MatrixXd F = random_matrix(n, n, 1);
    F -= (F.eigenvalues().real().maxCoeff() + 0.5) * MatrixXd::Identity(n, n);
    const MatrixXd g = random_matrix(n, n, 2);
    const MatrixXd G = g + g.transpose();
    const MatrixXd x = random_matrix(n, n, 3);
    const MatrixXd X = x * x.transpose();
    const MatrixXd A = F + G * X;
    const MatrixXd Q = -(A.transpose() * X + X * A - X * G * X);
    const auto found = solve_game_riccati(A, G, Q);
    ASSERT_TRUE(found) << n;
    EXPECT_LT((*found - X).norm(), 1e-7 * X.norm()) << n;
    EXPECT_LT(riccati_residual(A, G, Q, *found), 1e-10) << n;
  }
}

/// 2aX + (1/γ² − 1)X² + 1 = 0 by hand: a = 1, γ = 2: X = (1 + √1.75)/0.75.
TEST(GameRiccati, SolvesAScalarGame) {
  const auto found =
      solve_game_riccati(MatrixXd::Constant(1, 1, 1.0), MatrixXd::Constant(1, 1, 0.75),
                         MatrixXd::Identity(1, 1));
  ASSERT_TRUE(found);
  EXPECT_NEAR((*found)(0, 0), (1.0 + std::sqrt(1.75)) / 0.75, 1e-12);
}

TEST(GameRiccati, IsZeroWithoutCostWhereNothingHasToBeStabilised) {
  const MatrixXd A = (MatrixXd(2, 2) << -1.0, 700.0, 0.0, -3e-5).finished();
  const auto found = solve_game_riccati(A, -MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->norm(), 0.0);
  // What grows must be stabilised: 2·1·X − X² = 0.
  const auto grown = solve_game_riccati(MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1),
                                        MatrixXd::Zero(1, 1));
  ASSERT_TRUE(grown);
  EXPECT_NEAR((*grown)(0, 0), 2.0, 1e-12);
}

TEST(GameRiccati, HasNothingWhereAnEigenvalueIsOnTheAxis) {
  // [0 1; −1 0]: ±j.
  EXPECT_FALSE(solve_game_riccati(MatrixXd::Zero(1, 1), MatrixXd::Constant(1, 1, -1.0),
                                  MatrixXd::Identity(1, 1)));
}

/// f(x) = 2x − x² + 1 from 2.5: x − f/f' = 2.5 − 0.25/3.
TEST(GameRiccati, RefinesByNewtonsStep) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  EXPECT_NEAR(refine_riccati(one, one, one, 2.5 * one)(0, 0), 2.5 - 0.25 / 3.0, 1e-13);
  // 2x + 0.75x² + 1 from −0.8, where A − G X = 1 − 0.6: not stable.
  EXPECT_EQ(refine_riccati(one, -0.75 * one, one, -0.8 * one)(0, 0), -0.8);
  // −2x + 0.5x² + 1 is nearly level at 1.99: the step would be to −98, far from both roots.
  EXPECT_EQ(refine_riccati(-one, -0.5 * one, one, 1.99 * one)(0, 0), 1.99);
}

/// From X₀ = X + E the equation is FᵀE + E F − E G E with F = A − G X, and Newton's step
/// leaves the error D that solves (F − G E)ᵀD + D(F − G E) = −E G E: of second order, and
/// without G none at all.
TEST(GameRiccati, RefinesMatricesToTheSecondOrder) {
  const MatrixXd F = (MatrixXd(2, 2) << -1.0, 3.0, -0.5, -2.0).finished();
  const MatrixXd X = (MatrixXd(2, 2) << 2.0, 0.7, 0.7, 1.0).finished();
  const MatrixXd E = (MatrixXd(2, 2) << 0.02, -0.01, -0.01, 0.03).finished();
  for (const double gain : {0.0, 0.3}) {
    const MatrixXd G = gain * (MatrixXd(2, 2) << 1.0, 0.4, 0.4, -0.5).finished();
    const MatrixXd A = F + G * X;
    const MatrixXd Q = -(A.transpose() * X + X * A - X * G * X);
    const MatrixXd left = refine_riccati(A, G, Q, X + E) - X;
    const MatrixXd at = F - G * E;
    EXPECT_LT((at.transpose() * left + left * at + E * G * E).norm(), 1e-13) << gain;
    EXPECT_LT(left.norm(), 0.05 * E.norm()) << gain;
  }
}

TEST(GameRiccati, TellsAResidual) {
  // X = 2 in 2·1·X − X² + 1: 4 − 4 + 1 = 1, over the largest term, X G X = 4.
  EXPECT_NEAR(riccati_residual(MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1),
                               MatrixXd::Identity(1, 1), MatrixXd::Constant(1, 1, 2.0)),
              0.25, 1e-15);
}

}  // namespace
}  // namespace trestle::game_riccati_test
