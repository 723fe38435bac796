#pragma once

#include <Eigen/Core>

namespace trestle::identification {

/// min ‖A x − b‖ reduced by A = Q R: the same minimum from a square triangle. AᵀA, whose
/// condition is the square of A's, is never formed.
struct QrReduction {
  Eigen::MatrixXd R;       ///< upper, columns × columns
  Eigen::VectorXd Qb;      ///< the part of b that A can reach
  double unreached = 0.0;  ///< ‖b‖² of the rest
};

/// @pre at least as many rows as columns
QrReduction triangle(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// The x of least ‖R x − Qb‖² + ‖diag(d) x‖².
Eigen::VectorXd damped_solution(const QrReduction& triangle, const Eigen::VectorXd& d);

/// R = U diag(s) Vᵀ.
struct SingularValues {
  Eigen::MatrixXd U;
  Eigen::VectorXd s;  ///< falling
  Eigen::MatrixXd V;
};
SingularValues singular(const Eigen::MatrixXd& R);

/// A = U diag(s) Vᵀ of any shape: as many columns of U and V as A has rows or columns,
/// whichever are fewer.
SingularValues thin_singular(const Eigen::MatrixXd& A);

}  // namespace trestle::identification
