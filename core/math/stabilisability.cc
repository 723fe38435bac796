#include "core/math/stabilisability.h"

#include <algorithm>

#include "core/math/dense_eigenvalues.h"

namespace trestle::math {
namespace {

/// Below zero if the mode decays; in continuous time as a share of `size`.
double growth(std::complex<double> eigenvalue, double size, TimeDomain domain) {
  return domain == TimeDomain::kDiscrete ? std::abs(eigenvalue) - 1.0
                                         : eigenvalue.real() / size;
}

}  // namespace

std::optional<std::complex<double>> uncontrollable_mode(const Eigen::MatrixXd& A,
                                                        const Eigen::MatrixXd& B,
                                                        TimeDomain domain) {
  constexpr double kMargin = 1e-9;  // of an eigenvalue that should stand on the border
  constexpr double kRank = 1e-13;
  const Eigen::Index n = A.rows();
  if (n == 0) return std::nullopt;
  const double size = std::max(A.norm(), 1e-300);
  const Eigen::VectorXcd values = eigenvalues(A);
  // Its columns at one length, lest the units of the inputs count.
  Eigen::MatrixXcd pencil(n, n + B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    const double length = B.col(j).norm();
    pencil.col(n + j) = B.col(j) * (length > 0.0 ? size / length : 0.0);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (growth(values(i), size, domain) < -kMargin) continue;
    pencil.leftCols(n) = A;
    pencil.leftCols(n).diagonal().array() -= values(i);
    const Eigen::VectorXd sizes = singular_values(pencil);
    if (sizes(n - 1) <= kRank * sizes(0)) return values(i);
  }
  return std::nullopt;
}

bool is_asymptotically_stable(const Eigen::MatrixXd& A, TimeDomain domain) {
  if (!A.allFinite()) return false;
  const Eigen::VectorXcd values = eigenvalues(A);
  return std::all_of(values.begin(), values.end(),
                     [domain](auto value) { return growth(value, 1.0, domain) < 0.0; });
}

}  // namespace trestle::math
