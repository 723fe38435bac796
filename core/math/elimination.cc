#include "core/math/elimination.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace trestle::math {

void eliminate(RowMajorMatrix& A, Eigen::VectorXd& x) noexcept {
  assert(A.rows() == A.cols() && A.rows() == x.size());
  const Eigen::Index count = x.size();
  for (Eigen::Index k = 0; k < count; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < count; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (pivot != k) {
      for (Eigen::Index j = k; j < count; ++j) std::swap(A(k, j), A(pivot, j));
      std::swap(x[k], x[pivot]);
    }
    const double* const from = &A(k, 0);
    const double reciprocal = 1.0 / from[k];
    for (Eigen::Index i = k + 1; i < count; ++i) {
      double* const row = &A(i, 0);
      const double factor = row[k] * reciprocal;
      // Often so in a Newton step: what is elastic now adds a column of the unit matrix.
      if (factor == 0.0) continue;
      for (Eigen::Index j = k + 1; j < count; ++j) row[j] -= factor * from[j];
      x[i] -= factor * x[k];
    }
  }
  for (Eigen::Index k = count - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < count; ++j) x[k] -= A(k, j) * x[j];
    x[k] /= A(k, k);
  }
}

}  // namespace trestle::math
