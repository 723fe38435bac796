#include "core/math/dense_solve.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>

#include "core/math/lu_factor.h"

namespace trestle::math {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;

MatrixXd solved(const MatrixXd& A, const MatrixXd& B) {
  return LuFactor(A).solve(B);
}

MatrixXcd solve_complex(const MatrixXcd& A, const MatrixXcd& B) {
  return A.partialPivLu().solve(B);
}

MatrixXd inverse(const MatrixXd& A) {
  return LuFactor(A).inverse();
}

std::optional<MatrixXd> solve_if_regular(const MatrixXd& A, const MatrixXd& B,
                                         double threshold) {
  Eigen::FullPivLU<MatrixXd> factor(A);
  factor.setThreshold(threshold);
  if (!factor.isInvertible()) return std::nullopt;
  return factor.solve(B);
}

MatrixXd solve_symmetric(const MatrixXd& A, const MatrixXd& B) {
  return A.ldlt().solve(B);
}

std::optional<MatrixXd> cholesky_factor(const MatrixXd& A) {
  const Eigen::LLT<MatrixXd> factor(A);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.matrixL();
}

MatrixXd solve_lower(const MatrixXd& L, const MatrixXd& B) {
  return L.triangularView<Eigen::Lower>().solve(B);
}

MatrixXd solve_lower_transpose(const MatrixXd& L, const MatrixXd& B) {
  return L.transpose().triangularView<Eigen::Upper>().solve(B);
}

MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  return A.colPivHouseholderQr().solve(B);
}

Eigen::Index rank(const MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixXd> factor(A);
  factor.setThreshold(threshold);
  return factor.rank();
}

MatrixXd qr_r_factor(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> factor(A);
  const Eigen::Index rows = std::min(A.rows(), A.cols());
  return factor.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
}

MatrixXd orthonormal_basis(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> factor(A);
  return factor.householderQ() * MatrixXd::Identity(A.rows(), A.cols());
}

}  // namespace trestle::math
