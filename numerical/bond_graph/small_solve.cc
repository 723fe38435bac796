#include "numerical/bond_graph/small_solve.h"

#include <cmath>
#include <utility>

namespace trestle::bond_graph {

bool solve_in_place(Eigen::MatrixXd& A, Eigen::VectorXd& b) noexcept {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (!(std::abs(A(pivot, k)) > 0.0) || !std::isfinite(A(pivot, k))) return false;
    if (pivot != k) {
      for (Eigen::Index j = k; j < n; ++j) std::swap(A(pivot, j), A(k, j));
      std::swap(b(pivot), b(k));
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = A(i, k) / A(k, k);
      if (factor == 0.0) continue;
      for (Eigen::Index j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      b(i) -= factor * b(k);
    }
  }
  for (Eigen::Index k = n; k-- > 0;) {
    for (Eigen::Index j = k + 1; j < n; ++j) b(k) -= A(k, j) * b(j);
    b(k) /= A(k, k);
  }
  return true;
}

}  // namespace trestle::bond_graph
