#pragma once

#include <Eigen/Core>
#include <optional>

namespace trestle::math {

/// Linear equations with full matrices, for set-up: each compiled once, where Eigen's
/// decompositions would be compiled again in every source that names them. All of them
/// allocate. A matrix that is factored once and solved in every step: LuFactor.

/// A⁻¹ B of a square A that is not singular.
Eigen::MatrixXd solved(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXcd solve_complex(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);

/// A⁻¹ B by full pivoting.
/// @param threshold  pivots below this part of the largest count as zero
/// @returns nothing if A is singular
std::optional<Eigen::MatrixXd> solve_if_regular(const Eigen::MatrixXd& A,
                                                const Eigen::MatrixXd& B, double threshold);

/// A⁻¹ B of a symmetric, positive semidefinite A.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// L of A = L Lᵀ.
/// @returns nothing if A is not positive definite
std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& A);

/// L⁻¹ B and L⁻ᵀ B of a lower triangle.
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);
Eigen::MatrixXd solve_lower_transpose(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);

/// The X of least squared A X − B; A of full column rank.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// @param threshold  pivots below this part of the largest count as zero
Eigen::Index rank(const Eigen::MatrixXd& A, double threshold);

/// R of A = Q R, as many rows as A has columns or rows, whichever is fewer.
Eigen::MatrixXd qr_r_factor(const Eigen::MatrixXd& A);

/// An orthonormal basis of the space of A's columns, as many as A has.
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& A);

}  // namespace trestle::math
