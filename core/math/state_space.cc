#include "core/math/state_space.h"

#include <cmath>

#include "core/math/dense_solve.h"

namespace trestle::math {
namespace {

Eigen::MatrixXcd response(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                          const Eigen::MatrixXd& C, const Eigen::MatrixXd& D,
                          std::complex<double> s) {
  if (A.rows() == 0) return D.cast<std::complex<double>>();
  Eigen::MatrixXcd resolvent = -A.cast<std::complex<double>>();
  resolvent.diagonal().array() += s;
  return C * solve_complex(resolvent, B.cast<std::complex<double>>()) + D;
}

}  // namespace

bool sizes_fit(const StateSpace& system) noexcept {
  const auto& [A, B, C, D] = system;
  return A.rows() == A.cols() && B.rows() == A.rows() && C.cols() == A.rows() &&
         C.rows() == D.rows() && B.cols() == D.cols();
}

Eigen::MatrixXcd frequency_response(const StateSpace& system, std::complex<double> s) {
  return response(system.A, system.B, system.C, system.D, s);
}

Eigen::MatrixXcd frequency_response(const DiscreteStateSpace& system,
                                    std::complex<double> z) {
  return response(system.A, system.B, system.C, system.D, z);
}

Eigen::VectorXd balancing_scales(StateSpace system) {
  constexpr int kMostSweeps = 100;
  auto& [A, B, C, D] = system;
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(A.rows());
  bool changed = true;
  for (int sweep = 0; sweep < kMostSweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double self = std::abs(A(i, i));
      const double in = A.row(i).lpNorm<1>() - self + B.row(i).lpNorm<1>();
      const double out = A.col(i).lpNorm<1>() - self + C.col(i).lpNorm<1>();
      if (!(in > 0.0) || !(out > 0.0)) continue;
      const int exponent = static_cast<int>(std::lround(0.5 * std::log2(out / in)));
      if (exponent == 0) continue;
      const double scale = std::ldexp(1.0, exponent);
      A.row(i) *= scale;
      B.row(i) *= scale;
      A.col(i) /= scale;
      C.col(i) /= scale;
      scales(i) *= scale;
      changed = true;
    }
  }
  return scales;
}

StateSpace balanced(StateSpace system) {
  const Eigen::VectorXd scales = balancing_scales(system);
  for (Eigen::Index i = 0; i < scales.size(); ++i) {
    system.A.row(i) *= scales(i);
    system.B.row(i) *= scales(i);
    system.A.col(i) /= scales(i);
    system.C.col(i) /= scales(i);
  }
  return system;
}

}  // namespace trestle::math
