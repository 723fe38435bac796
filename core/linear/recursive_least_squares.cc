#include "core/linear/recursive_least_squares.h"

#include <Eigen/Eigenvalues>
#include <cassert>
#include <cmath>

namespace trestle {

RecursiveLeastSquares::RecursiveLeastSquares(const Eigen::VectorXd& coefficients,
                                             const Eigen::MatrixXd& covariance,
                                             double forgetting, double trace_limit)
    : first_coefficients_(coefficients),
      first_root_(square_root(covariance)),
      forgetting_(forgetting),
      trace_limit_(trace_limit),
      coefficients_(coefficients),
      root_(first_root_),
      seen_(Eigen::VectorXd::Zero(coefficients.size())),
      gain_(seen_) {
  assert(root_.rows() == coefficients.size());
  assert(forgetting > 0.0 && forgetting <= 1.0);
}

void RecursiveLeastSquares::reset() noexcept {
  coefficients_ = first_coefficients_;
  root_ = first_root_;
}

const Eigen::VectorXd& RecursiveLeastSquares::gain(const Eigen::VectorXd& row) noexcept {
  assert(row.size() == coefficients_.size());
  const Eigen::Index n = row.size();
  spread_ = forgetting_;
  for (Eigen::Index j = 0; j < n; ++j) {
    seen_[j] = root_.col(j).dot(row);
    spread_ += seen_[j] * seen_[j];
  }
  gain_.setZero();
  for (Eigen::Index j = 0; j < n; ++j) gain_ += root_.col(j) * (seen_[j] / spread_);
  return gain_;
}

void RecursiveLeastSquares::correct(double error) noexcept {
  coefficients_ += gain_ * error;
  const double share = 1.0 / (1.0 + std::sqrt(forgetting_ / spread_));
  for (Eigen::Index j = 0; j < gain_.size(); ++j)
    root_.col(j) -= gain_ * (share * seen_[j]);
  if (forgetting_ < 1.0 && root_.squaredNorm() <= forgetting_ * trace_limit_)
    root_ *= 1.0 / std::sqrt(forgetting_);
}

void RecursiveLeastSquares::save(SnapshotWriter& snapshot) const {
  snapshot.add(coefficients_);
  snapshot.add(root_);
}

void RecursiveLeastSquares::restore(SnapshotReader& snapshot) {
  snapshot.fill(coefficients_);
  snapshot.fill(root_);
}

Eigen::MatrixXd square_root(const Eigen::MatrixXd& matrix) {
  constexpr double kRounding = 1e-9;  // a file may hold some ten digits
  if (matrix.rows() != matrix.cols() || !matrix.allFinite()) return {};
  const double size = matrix.cwiseAbs().maxCoeff();
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kRounding * size) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(0.5 *
                                                             (matrix + matrix.transpose()));
  if (modes.eigenvalues().minCoeff() < -kRounding * size) return {};
  return modes.eigenvectors() * modes.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace trestle
