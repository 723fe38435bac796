#pragma once

#include <Eigen/Core>

namespace trestle::math {

using RowMajorMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// x ← A⁻¹·x by elimination with partial pivoting, which destroys A. Does not allocate,
/// where Eigen's decompositions take memory for large matrices: for Newton steps of a few
/// unknowns within a time step.
/// @param A  square, of x's size; a singular one gives numbers that are not finite
void eliminate(RowMajorMatrix& A, Eigen::VectorXd& x) noexcept;

}  // namespace trestle::math
