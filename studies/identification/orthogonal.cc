#include "studies/identification/orthogonal.h"

#include <Eigen/QR>
#include <Eigen/SVD>

namespace trestle::identification {

Triangle triangle(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index n = A.cols();
  Eigen::MatrixXd with_b(A.rows(), n + 1);
  with_b << A, b;
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(with_b);
  Triangle made;
  made.R = with_b.topLeftCorner(n, n).triangularView<Eigen::Upper>();
  made.Qb = with_b.col(n).head(n);
  made.unreached = A.rows() > n ? with_b(n, n) * with_b(n, n) : 0.0;
  return made;
}

Eigen::VectorXd damped_solution(const Triangle& triangle, const Eigen::VectorXd& d) {
  const Eigen::Index n = triangle.R.cols();
  Eigen::MatrixXd A(2 * n, n);
  A << triangle.R, Eigen::MatrixXd(d.asDiagonal());
  Eigen::VectorXd b(2 * n);
  b << triangle.Qb, Eigen::VectorXd::Zero(n);
  return A.colPivHouseholderQr().solve(b);
}

Singular singular(const Eigen::MatrixXd& R) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace trestle::identification
