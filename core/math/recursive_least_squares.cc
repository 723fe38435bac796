#include "core/math/recursive_least_squares.h"

#include <cassert>
#include <cmath>

#include "core/math/dense_eigenvalues.h"

namespace trestle::math {
namespace {

/// Rows v with Σ v vᵀ = n (1 − λ) P⁻¹, n their number, in the directions that P has.
Eigen::MatrixXd rows_of_information(const Eigen::MatrixXd& covariance, double forgetting) {
  Eigen::MatrixXd rows = square_root(covariance);
  const double scale = std::sqrt((1.0 - forgetting) * static_cast<double>(rows.cols()));
  for (Eigen::Index j = 0; j < rows.cols(); ++j) {
    const double power = rows.col(j).squaredNorm();
    if (power > 0.0) rows.col(j) *= scale / power;
  }
  return rows;
}

}  // namespace

RecursiveLeastSquares::RecursiveLeastSquares(const Eigen::VectorXd& coefficients,
                                             const Eigen::MatrixXd& covariance,
                                             double forgetting,
                                             const Eigen::MatrixXd& limit)
    : first_coefficients_(coefficients),
      first_root_(square_root(covariance)),
      forgetting_(forgetting),
      given_back_(rows_of_information(limit, forgetting)),
      coefficients_(coefficients),
      root_(first_root_),
      seen_(Eigen::VectorXd::Zero(coefficients.size())),
      gain_(seen_) {
  assert(root_.rows() == coefficients.size() && given_back_.rows() == root_.rows());
  assert(forgetting > 0.0 && forgetting <= 1.0);
}

void RecursiveLeastSquares::reset() noexcept {
  coefficients_ = first_coefficients_;
  root_ = first_root_;
  next_given_ = 0;
}

const Eigen::VectorXd& RecursiveLeastSquares::gain(const Eigen::VectorXd& row) noexcept {
  scale_row(row, forgetting_);
  return gain_;
}

void RecursiveLeastSquares::correct(double error) noexcept {
  coefficients_ += gain_ * error;
  update_root(forgetting_);
  if (forgetting_ == 1.0) return;
  root_ *= 1.0 / std::sqrt(forgetting_);
  scale_row(given_back_.col(next_given_), 1.0);
  update_root(1.0);
  next_given_ = next_given_ + 1 < given_back_.cols() ? next_given_ + 1 : 0;
}

void RecursiveLeastSquares::scale_row(const Eigen::Ref<const Eigen::VectorXd>& row,
                                      double forgetting) noexcept {
  assert(row.size() == coefficients_.size());
  spread_ = forgetting;
  for (Eigen::Index j = 0; j < row.size(); ++j) {
    seen_[j] = root_.col(j).dot(row);
    spread_ += seen_[j] * seen_[j];
  }
  gain_.setZero();
  for (Eigen::Index j = 0; j < row.size(); ++j)
    gain_ += root_.col(j) * (seen_[j] / spread_);
}

/// P − g xᵀP of the row that scale_row() saw last.
void RecursiveLeastSquares::update_root(double forgetting) noexcept {
  const double share = 1.0 / (1.0 + std::sqrt(forgetting / spread_));
  for (Eigen::Index j = 0; j < gain_.size(); ++j)
    root_.col(j) -= gain_ * (share * seen_[j]);
}

template <typename Self, typename Archive>
void RecursiveLeastSquares::visit(Self& self, Archive& archive) {
  archive(self.coefficients_, self.root_, self.next_given_);
}

void RecursiveLeastSquares::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void RecursiveLeastSquares::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

Eigen::MatrixXd square_root(const Eigen::MatrixXd& matrix) {
  constexpr double kRounding = 1e-9;  // a file may hold some ten digits
  if (matrix.rows() != matrix.cols() || !matrix.allFinite()) return {};
  const double size = matrix.cwiseAbs().maxCoeff();
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kRounding * size) return {};
  const auto [values, vectors] = symmetric_eigen(0.5 * (matrix + matrix.transpose()));
  if (values.minCoeff() < -kRounding * size) return {};
  return vectors * values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace trestle::math
