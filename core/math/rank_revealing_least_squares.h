#pragma once

#include <Eigen/Core>

namespace trestle::math {

/// Most unknowns of a solve_rank_deficient().
inline constexpr int kMaxUnknowns = 24;

using NormalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                                   kMaxUnknowns, kMaxUnknowns>;
using NormalVector =
    Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxUnknowns, 1>;

/// Least squares from its normal equations A x = b, A positive semidefinite, without the
/// heap: Cholesky of A scaled to a unit diagonal. An unknown whose column those before it
/// explain to within `tolerance` of its square is zero, and so is one without a column.
///
/// The order of the unknowns is an order of preference: with differences of rising order, a
/// signal that cannot tell the higher ones apart is explained by the lower ones.
/// @param A  its lower triangle is read
NormalVector solve_rank_deficient(NormalMatrix A, NormalVector b,
                                  double tolerance) noexcept;

}  // namespace trestle::math
