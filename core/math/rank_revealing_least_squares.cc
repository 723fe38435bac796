#include "core/math/rank_revealing_least_squares.h"

#include <cassert>
#include <cmath>

namespace trestle::math {

NormalVector solve_rank_deficient(NormalMatrix A, NormalVector b,
                                  double tolerance) noexcept {
  const Eigen::Index n = b.size();
  assert(A.rows() == n && A.cols() == n);
  NormalVector scale(n);
  for (Eigen::Index j = 0; j < n; ++j)
    scale[j] = A(j, j) > 0.0 ? 1.0 / std::sqrt(A(j, j)) : 0.0;
  for (Eigen::Index j = 0; j < n; ++j) {
    b[j] *= scale[j];
    for (Eigen::Index i = j; i < n; ++i) A(i, j) *= scale[i] * scale[j];
  }
  // A = L Lᵀ column by column, with b carried along: b becomes L⁻¹ b.
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(A(j, j) > tolerance)) {
      A(j, j) = 0.0;
      continue;
    }
    const double pivot = std::sqrt(A(j, j));
    A(j, j) = pivot;
    b[j] /= pivot;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      A(i, j) /= pivot;
      b[i] -= A(i, j) * b[j];
    }
    for (Eigen::Index k = j + 1; k < n; ++k)
      for (Eigen::Index i = k; i < n; ++i) A(i, k) -= A(i, j) * A(k, j);
  }
  for (Eigen::Index j = n - 1; j >= 0; --j) {
    if (A(j, j) == 0.0) {
      b[j] = 0.0;
      continue;
    }
    for (Eigen::Index i = j + 1; i < n; ++i) b[j] -= A(i, j) * b[i];
    b[j] /= A(j, j);
  }
  return b.cwiseProduct(scale);
}

}  // namespace trestle::math
