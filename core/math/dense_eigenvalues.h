#pragma once

#include <Eigen/Core>

namespace trestle::math {

/// Eigenvalues and singular values of full matrices, for set-up: each compiled once, where
/// Eigen's solvers would be compiled again in every source that names them. All allocate.

/// Returns the eigenvalues of a square matrix, in no particular order; NaN if they do not
/// converge.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

/// Values rise; a column of vectors to each.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// A v = λ v of a symmetric A, vᵀv = 1; reads its lower triangle.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// A v = λ B v of a symmetric A and a symmetric, positive definite B, vᵀB v = 1.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// Returns the eigenvalues of the symmetric matrix with this diagonal and these values
/// beside it, one fewer.
SymmetricEigen tridiagonal_eigen(const Eigen::Ref<const Eigen::VectorXd>& diagonal,
                                 const Eigen::Ref<const Eigen::VectorXd>& beside);

/// As many as the shorter side, falling; by plane rotations of one side (Hestenes 1958).
Eigen::VectorXd singular_values(const Eigen::MatrixXcd& A);

}  // namespace trestle::math
