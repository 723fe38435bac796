#include "studies/identification/orthogonal.h"

#include <Eigen/SVD>

#include "core/math/dense_solve.h"

namespace trestle::identification {

QrReduction triangle(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index n = A.cols();
  Eigen::MatrixXd with_b(A.rows(), n + 1);
  with_b << A, b;
  const Eigen::MatrixXd R = math::qr_r_factor(with_b);
  QrReduction made;
  made.R = R.topLeftCorner(n, n);
  made.Qb = R.col(n).head(n);
  made.unreached = A.rows() > n ? R(n, n) * R(n, n) : 0.0;
  return made;
}

Eigen::VectorXd damped_solution(const QrReduction& triangle, const Eigen::VectorXd& d) {
  const Eigen::Index n = triangle.R.cols();
  Eigen::MatrixXd A(2 * n, n);
  A << triangle.R, Eigen::MatrixXd(d.asDiagonal());
  Eigen::VectorXd b(2 * n);
  b << triangle.Qb, Eigen::VectorXd::Zero(n);
  return math::least_squares(A, b);
}

SingularValues singular(const Eigen::MatrixXd& R) {
  // Square already, so that no decomposition need go before it.
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
      R, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

SingularValues thin_singular(const Eigen::MatrixXd& A) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace trestle::identification
