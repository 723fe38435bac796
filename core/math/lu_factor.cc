#include "core/math/lu_factor.h"

#include <Eigen/LU>
#include <cassert>

namespace trestle::math {

void LuFactor::compute(const Eigen::MatrixXd& matrix) {
  assert(matrix.rows() == matrix.cols());
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(matrix);
  factor_ = factor.matrixLU();
  rows_ = factor.permutationP();
}

void LuFactor::solve(const Eigen::Ref<const Eigen::VectorXd>& b,
                     Eigen::VectorXd& x) const noexcept {
  assert(b.size() == factor_.rows() && x.size() == b.size());
  x.noalias() = rows_ * b;
  factor_.triangularView<Eigen::UnitLower>().solveInPlace(x);
  factor_.triangularView<Eigen::Upper>().solveInPlace(x);
}

Eigen::MatrixXd LuFactor::solve(const Eigen::MatrixXd& B) const {
  assert(B.rows() == factor_.rows());
  Eigen::MatrixXd X = rows_ * B;
  factor_.triangularView<Eigen::UnitLower>().solveInPlace(X);
  factor_.triangularView<Eigen::Upper>().solveInPlace(X);
  return X;
}

Eigen::MatrixXd LuFactor::inverse() const {
  return solve(Eigen::MatrixXd::Identity(factor_.rows(), factor_.rows()));
}

}  // namespace trestle::math
