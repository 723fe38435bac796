#pragma once

#include <Eigen/Core>

namespace trestle::bond_graph {

/// b ← A⁻¹ b by elimination with partial pivoting, in place: A is lost. Does not allocate.
/// @returns false if A is singular or not finite
bool solve_in_place(Eigen::MatrixXd& A, Eigen::VectorXd& b) noexcept;

}  // namespace trestle::bond_graph
