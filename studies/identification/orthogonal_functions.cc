#include "studies/identification/orthogonal_functions.h"

#include <algorithm>
#include <cmath>

#include "core/math/dense_solve.h"

namespace trestle::identification {
namespace {

/// Chebyshev's polynomials and their derivatives by x: samples × functions.
std::array<Eigen::MatrixXd, 3> chebyshev_polynomials(int order, const Eigen::ArrayXd& x) {
  std::array<Eigen::MatrixXd, 3> T;
  T.fill(Eigen::MatrixXd::Zero(x.size(), order));
  T[0].col(0).setOnes();
  if (order == 1) return T;
  T[0].col(1) = x;
  T[1].col(1).setOnes();
  for (int k = 2; k < order; ++k) {
    T[0].col(k) = 2.0 * x * T[0].col(k - 1).array() - T[0].col(k - 2).array();
    T[1].col(k) = 2.0 * T[0].col(k - 1).array() + 2.0 * x * T[1].col(k - 1).array() -
                  T[1].col(k - 2).array();
    T[2].col(k) = 4.0 * T[1].col(k - 1).array() + 2.0 * x * T[2].col(k - 1).array() -
                  T[2].col(k - 2).array();
  }
  return T;
}

}  // namespace

int OrthogonalFunctions::largest_order(Eigen::Index samples) {
  const auto count = static_cast<double>(samples);
  return static_cast<int>(std::min(count, std::floor(4.0 * std::sqrt(count))));
}

OrthogonalFunctions::OrthogonalFunctions(int order, Eigen::Index samples, double period) {
  const Eigen::ArrayXd x = Eigen::ArrayXd::LinSpaced(samples, -1.0, 1.0);
  std::array<Eigen::MatrixXd, 3> T = chebyshev_polynomials(order, x);
  // The first reduction leaves an error that the condition number magnifies; the second
  // starts from columns that are nearly orthonormal.
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::MatrixXd lower = math::qr_r_factor(T[0]).transpose();
    for (Eigen::MatrixXd& derivative : T)
      derivative = math::solve_lower(lower, derivative.transpose()).transpose();
  }
  const double rate = 2.0 / (static_cast<double>(samples - 1) * period);  // dx/dt
  values_ = {T[0].transpose(), rate * T[1].transpose(), rate * rate * T[2].transpose()};
}

Eigen::MatrixXd OrthogonalFunctions::coefficients(const Eigen::MatrixXd& series) const {
  return series * values_[0].transpose();
}

}  // namespace trestle::identification
