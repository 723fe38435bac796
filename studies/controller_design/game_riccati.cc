#include "studies/controller_design/game_riccati.h"

#include <algorithm>
#include <cmath>

#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "core/math/lu_factor.h"

namespace trestle::controller_design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kResidual = 1e-7;   // of the largest term
constexpr double kOnTheAxis = 1e-9;  // |Re λ| over |λ|
constexpr int kMostSteps = 100;

MatrixXd symmetric_part(const MatrixXd& matrix) {
  return 0.5 * (matrix + matrix.transpose());
}

/// sign(M): S ← (c·S + (c·S)⁻¹)/2, with c until it has nearly converged.
std::optional<MatrixXd> sign_of(MatrixXd M) {
  constexpr double kNear = 1e-2;
  constexpr double kConverged = 1e-14;
  bool scaled = true;
  double last = 1e300;
  for (int step = 0; step < kMostSteps; ++step) {
    const math::LuFactor factor(M);
    const MatrixXd inverse = factor.inverse();
    if (!inverse.allFinite()) return std::nullopt;
    const double c = scaled ? std::sqrt(inverse.norm() / M.norm()) : 1.0;
    const MatrixXd next = 0.5 * (c * M + inverse / c);
    const double change = (next - M).norm() / next.norm();
    M = next;
    if (change < kNear) scaled = false;
    // Quadratic until rounding stops it.
    if (!scaled && (change < kConverged || (change < 1e-10 && change >= 0.5 * last)))
      return M;
    last = change;
  }
  return std::nullopt;
}

/// Fᵀ·D + D·F + R = 0 with F stable: the sign function of [Fᵀ R; 0 −F] is [−I 2D; 0 I].
std::optional<MatrixXd> solve_lyapunov(const MatrixXd& F, const MatrixXd& R) {
  const Index n = F.rows();
  MatrixXd pencil(2 * n, 2 * n);
  pencil << F.transpose(), R, MatrixXd::Zero(n, n), -F;
  const std::optional<MatrixXd> sign = sign_of(std::move(pencil));
  if (!sign) return std::nullopt;
  return symmetric_part(0.5 * sign->topRightCorner(n, n));
}

MatrixXd equation(const MatrixXd& A, const MatrixXd& G, const MatrixXd& Q,
                  const MatrixXd& X) {
  const MatrixXd drift = X * A;
  return drift + drift.transpose() - X * G * X + Q;
}

bool decays(const MatrixXd& F) {
  return (math::eigenvalues(F).real().array() < 0.0).all();
}

}  // namespace

double riccati_residual(const MatrixXd& A, const MatrixXd& G, const MatrixXd& Q,
                        const MatrixXd& X) {
  const double largest = std::max({(X * A).norm(), (X * G * X).norm(), Q.norm(), 1e-300});
  return equation(A, G, Q, X).norm() / largest;
}

MatrixXd refine_riccati(const MatrixXd& A, const MatrixXd& G, const MatrixXd& Q,
                        const MatrixXd& X) {
  const MatrixXd F = A - G * X;
  if (!X.allFinite() || !decays(F)) return X;
  const std::optional<MatrixXd> step =
      solve_lyapunov(F, symmetric_part(equation(A, G, Q, X)));
  if (!step) return X;
  const MatrixXd next = X + *step;
  return riccati_residual(A, G, Q, next) < riccati_residual(A, G, Q, X) ? next : X;
}

std::optional<MatrixXd> solve_game_riccati(const MatrixXd& A, const MatrixXd& G,
                                           const MatrixXd& Q) {
  const Index n = A.rows();
  if (n == 0) return MatrixXd(0, 0);
  if (Q.isZero(0.0) && A.allFinite() && decays(A)) return MatrixXd::Zero(n, n);
  MatrixXd hamiltonian(2 * n, 2 * n);
  hamiltonian << A, -G, -Q, -A.transpose();
  if (!hamiltonian.allFinite()) return std::nullopt;
  const Eigen::VectorXcd modes = math::eigenvalues(hamiltonian);
  const double largest = modes.cwiseAbs().maxCoeff();
  for (const auto& mode : modes)
    if (!(std::abs(mode.real()) > kOnTheAxis * std::max(std::abs(mode), 1e-3 * largest)))
      return std::nullopt;

  const std::optional<MatrixXd> sign = sign_of(std::move(hamiltonian));
  if (!sign) return std::nullopt;
  // The stable subspace [I; X] is in the kernel of sign + I.
  const MatrixXd kernel = *sign + MatrixXd::Identity(2 * n, 2 * n);
  MatrixXd X =
      symmetric_part(math::least_squares(kernel.rightCols(n), -kernel.leftCols(n)));
  if (!X.allFinite() || !decays(A - G * X)) return std::nullopt;
  X = refine_riccati(A, G, Q, X);
  if (riccati_residual(A, G, Q, X) > kResidual) return std::nullopt;
  return X;
}

}  // namespace trestle::controller_design
