#pragma once

#include <Eigen/Core>
#include <cmath>

#include "core/lanes/pack.h"

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

/// The same of `double`, or of a pack of one number per lane.
/// @param n  1 ... kMaxUnknowns
/// @param A  n × n, column by column; overwritten
/// @param b  becomes x
template <typename Real>
void solve_rank_deficient(int n, Real* A, Real* b, double tolerance) noexcept {
  using lanes::select;
  using std::sqrt;
  using Mask = typename lanes::MaskOf<Real>::Type;
  const auto at = [A, n](int i, int j) -> Real& {
    return A[j * n + i];
  };
  const Real none(0.0);
  const Real one(1.0);
  Real scale[kMaxUnknowns];
  for (int j = 0; j < n; ++j)
    scale[j] = select(at(j, j) > none, Real(one / sqrt(at(j, j))), none);
  for (int j = 0; j < n; ++j) {
    b[j] *= scale[j];
    for (int i = j; i < n; ++i) at(i, j) *= scale[i] * scale[j];
  }
  // A = L Lᵀ column by column, with b carried along: b becomes L⁻¹ b.
  Mask known[kMaxUnknowns];
  for (int j = 0; j < n; ++j) {
    const Mask found = at(j, j) > Real(tolerance);
    const Real pivot = select(found, sqrt(at(j, j)), one);
    at(j, j) = select(found, pivot, none);
    known[j] = found;
    b[j] = select(found, Real(b[j] / pivot), b[j]);
    for (int i = j + 1; i < n; ++i) {
      at(i, j) = select(found, Real(at(i, j) / pivot), at(i, j));
      b[i] = select(found, Real(b[i] - at(i, j) * b[j]), b[i]);
    }
    for (int k = j + 1; k < n; ++k)
      for (int i = k; i < n; ++i)
        at(i, k) = select(found, Real(at(i, k) - at(i, j) * at(k, j)), at(i, k));
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) b[j] -= at(i, j) * b[i];
    b[j] = select(known[j], Real(b[j] / select(known[j], at(j, j), one)), none);
  }
  for (int j = 0; j < n; ++j) b[j] *= scale[j];
}

}  // namespace trestle::math
