#include "core/math/recursive_least_squares.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>

#include "core/base/random.h"

namespace trestle::math {
namespace {

double noise(int n, int channel) {
  return standard_normal({.seed = 3,
                          .stream = 1,
                          .channel = static_cast<std::uint64_t>(channel),
                          .index = static_cast<std::uint64_t>(n)});
}

Eigen::VectorXd noisy_row(int n, Eigen::Index size) {
  Eigen::VectorXd row(size);
  for (Eigen::Index i = 0; i < size; ++i) row[i] = noise(n, static_cast<int>(i));
  return row;
}

const Eigen::Matrix3d kNoLimit = 1e30 * Eigen::Matrix3d::Identity();

void learn(RecursiveLeastSquares& recursion, const Eigen::VectorXd& row, double value) {
  const double error = value - recursion.coefficients().dot(row);
  recursion.gain(row);
  recursion.correct(error);
}

TEST(RecursiveLeastSquares, IsTheWeightedFitOfAllRows) {
  // θ = (Σ λ^(N-n) x xᵀ + λ^N P₀⁻¹)⁻¹ (Σ λ^(N-n) x y + λ^N P₀⁻¹ θ₀)
  const double lambda = 0.98;
  const Eigen::Vector3d start{0.3, -1.0, 2.0};
  const Eigen::Matrix3d covariance{{2.0, 0.5, 0.0}, {0.5, 1.0, 0.2}, {0.0, 0.2, 4.0}};
  RecursiveLeastSquares recursion(start, covariance, lambda, kNoLimit);
  using Matrix = Eigen::Matrix<long double, 3, 3>;
  using Vector = Eigen::Matrix<long double, 3, 1>;
  Matrix A = covariance.cast<long double>().inverse();
  Vector b = A * start.cast<long double>();
  for (int n = 0; n < 300; ++n) {
    const Eigen::VectorXd row = noisy_row(n, 3);
    const double value = 0.7 * row[0] - 0.2 * row[2] + 0.1 * noise(n, 9);
    learn(recursion, row, value);
    const Vector x = row.cast<long double>();
    A = static_cast<long double>(lambda) * A + x * x.transpose();
    b = static_cast<long double>(lambda) * b + x * static_cast<long double>(value);
  }
  const Matrix spread = A.inverse();
  const Eigen::Vector3d expected = Vector(spread * b).cast<double>();
  EXPECT_LT((recursion.coefficients() - expected).norm(), 1e-13);
  const Eigen::Matrix3d inverse = spread.cast<double>();
  EXPECT_LT((recursion.covariance() - inverse).norm(), 1e-13 * inverse.norm() * 10);
}

TEST(RecursiveLeastSquares, StaysSoundOverAMillionNearlySingularTicks) {
  // Neighbouring samples of a slow motion under a covariance as large as published ones.
  RecursiveLeastSquares recursion(Eigen::Vector4d::Zero(),
                                  1e11 * Eigen::Matrix4d::Identity(), 0.9999,
                                  1e11 * Eigen::Matrix4d::Identity());
  const Eigen::Vector4d truth{3.0, -1.0, 0.5, -1.5};
  Eigen::VectorXd row = Eigen::Vector4d::Zero();
  for (int n = 0; n < 1'000'000; ++n) {
    for (Eigen::Index i = 3; i > 0; --i) row[i] = row[i - 1];
    row[0] = 1e-3 * (std::sin(0.014 * n) + 0.5 * std::sin(0.031 * n));
    learn(recursion, row, truth.dot(row));
  }
  EXPECT_TRUE(recursion.coefficients().allFinite());
  EXPECT_NEAR(recursion.coefficients().dot(row), truth.dot(row), 1e-9);
  const Eigen::MatrixXd P = recursion.covariance();
  EXPECT_EQ(P, P.transpose());
  EXPECT_LE(P.trace(), 4e11 * 1.001);
}

TEST(RecursiveLeastSquares, ForgetsNoFurtherThanItsLimit) {
  const Eigen::Matrix2d limit{{2.0, 0.5}, {0.5, 1.0}};
  RecursiveLeastSquares recursion(Eigen::Vector2d{1.0, 2.0}, Eigen::Matrix2d::Identity(),
                                  0.999, limit);
  for (int n = 0; n < 100'000; ++n) learn(recursion, Eigen::Vector2d::Zero(), 0.0);
  EXPECT_EQ(recursion.coefficients(), (Eigen::Vector2d{1.0, 2.0}));
  // Its directions come in turn: within (1 - λ) of the limit.
  EXPECT_LT((recursion.covariance() - limit).norm(), 0.002 * limit.norm());
}

TEST(RecursiveLeastSquares, FollowsWhatChangesWhereOneDirectionIsSilent) {
  const Eigen::Matrix2d limit = 1e3 * Eigen::Matrix2d::Identity();
  RecursiveLeastSquares recursion(Eigen::Vector2d::Zero(), limit, 0.99, limit);
  for (int n = 0; n < 5000; ++n)
    learn(recursion, Eigen::Vector2d{1.0, 0.0}, n < 4000 ? 2.0 : -1.0);
  EXPECT_NEAR(recursion.coefficients()[0], -1.0, 3.0 * std::pow(0.99, 1000) + 1e-3);
  EXPECT_EQ(recursion.coefficients()[1], 0.0);
}

TEST(RecursiveLeastSquares, GoesOnFromASnapshotAndFromReset) {
  const auto make = [] {
    return RecursiveLeastSquares(Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity(), 0.9,
                                 Eigen::Matrix2d::Identity());
  };
  RecursiveLeastSquares recursion = make();
  for (int n = 0; n < 20; ++n) learn(recursion, noisy_row(n, 2), 0.1 * n);
  const Eigen::VectorXd first = recursion.coefficients();
  SnapshotWriter writer;
  recursion.save(writer);
  RecursiveLeastSquares twin = make();
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (RecursiveLeastSquares* it : {&recursion, &twin}) learn(*it, noisy_row(20, 2), 1.0);
  EXPECT_EQ(twin.coefficients(), recursion.coefficients());
  recursion.reset();
  for (int n = 0; n < 20; ++n) learn(recursion, noisy_row(n, 2), 0.1 * n);
  EXPECT_EQ(recursion.coefficients(), first);
}

TEST(SquareRoot, ExistsOfASemidefiniteMatrixOnly) {
  const Eigen::Matrix2d singular{{1.0, 1.0}, {1.0, 1.0}};
  const Eigen::MatrixXd root = square_root(singular);
  EXPECT_LT((root * root.transpose() - singular).norm(), 1e-15);
  EXPECT_EQ(square_root(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 1.0}}).size(), 0);
  EXPECT_EQ(square_root(Eigen::Matrix2d{{1.0, 0.1}, {0.2, 1.0}}).size(), 0);
  EXPECT_EQ(square_root(Eigen::MatrixXd::Ones(2, 3)).size(), 0);
}

}  // namespace
}  // namespace trestle::math
