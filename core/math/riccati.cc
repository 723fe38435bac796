#include "core/math/riccati.h"

#include <cassert>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "core/math/lu_factor.h"
#include "core/math/stabilisability.h"

namespace trestle::math {
namespace {

using Eigen::MatrixXd;

/// A, G = B R⁻¹Bᵀ and Q of the equation.
struct Pencil {
  MatrixXd A;  // NOLINT(readability-identifier-naming)
  MatrixXd G;  // NOLINT(readability-identifier-naming)
  MatrixXd Q;  // NOLINT(readability-identifier-naming)
};

MatrixXd symmetric(const MatrixXd& matrix) {
  return 0.5 * (matrix + matrix.transpose());
}

[[noreturn]] void refuse(const std::string& path, std::complex<double> mode,
                         TimeDomain domain, const char* what) {
  std::ostringstream text;
  text << "the mode at " << (domain == TimeDomain::kDiscrete ? "z = " : "s = ")
       << mode.real();
  if (mode.imag() != 0.0)
    text << (mode.imag() < 0.0 ? " - " : " + ") << std::abs(mode.imag()) << "j";
  text << " does not decay, and " << what;
  throw SettingError(path, text.str());
}

Pencil checked(const QuadraticProblem& problem, const std::string& path) {
  const auto& [A, B, Q, R] = problem;
  assert(A.rows() == A.cols() && B.rows() == A.rows() && Q.rows() == A.rows() &&
         Q.cols() == A.rows() && R.rows() == B.cols() && R.cols() == B.cols());
  if (!A.allFinite() || !B.allFinite() || !Q.allFinite() || !R.allFinite())
    throw SettingError(path, "has a value that is not finite");
  const std::optional<MatrixXd> weight = cholesky_factor(R);
  if (!weight)
    throw SettingError(path, "the weight of the inputs is not positive definite");
  const MatrixXd reach = solve_lower(*weight, B.transpose());
  return {A, symmetric(reach.transpose() * reach), symmetric(Q)};
}

/// The scaling during the solution: x = diag(states)·z, X = weight·X̃.
struct Scales {
  Eigen::VectorXd states;
  double weight = 1.0;
};

double power_of_two(double value) {
  return std::ldexp(1.0, static_cast<int>(std::lround(std::log2(value))));
}

/// Brings what enters a state (from the others and from the input) and what leaves it (to
/// the others and to the cost) to one size, and then G and Q.
Scales normalise(Pencil& pencil) {
  constexpr int kMostSweeps = 100;
  auto& [A, G, Q] = pencil;
  Scales scales{Eigen::VectorXd::Ones(A.rows())};
  bool changed = true;
  for (int sweep = 0; sweep < kMostSweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double self = std::abs(A(i, i));
      const double in = A.row(i).lpNorm<1>() - self + std::sqrt(std::abs(G(i, i)));
      const double out = A.col(i).lpNorm<1>() - self + std::sqrt(std::abs(Q(i, i)));
      if (!(in > 0.0) || !(out > 0.0)) continue;
      const double scale = power_of_two(std::sqrt(in / out));
      if (scale == 1.0) continue;
      A.row(i) /= scale;
      A.col(i) *= scale;
      G.row(i) /= scale;
      G.col(i) /= scale;
      Q.row(i) *= scale;
      Q.col(i) *= scale;
      scales.states(i) *= scale;
      changed = true;
    }
  }
  if (G.norm() > 0.0 && Q.norm() > 0.0)
    scales.weight = power_of_two(std::sqrt(Q.norm() / G.norm()));
  G *= scales.weight;
  Q /= scales.weight;
  return scales;
}

/// @param pencil  normalised
void require_solvable(const Pencil& pencil, TimeDomain domain, const std::string& path) {
  if (const auto mode = uncontrollable_mode(pencil.A, pencil.G, domain))
    refuse(path, *mode, domain, "no input moves it (not stabilisable)");
  if (const auto mode = uncontrollable_mode(pencil.A.transpose(), pencil.Q, domain))
    refuse(path, *mode, domain, "no weight sees it (not detectable); give it one");
}

MatrixXd in_units(const MatrixXd& solution, const Scales& scales) {
  const auto inverse = scales.states.cwiseInverse().asDiagonal();
  return symmetric(scales.weight * (inverse * solution * inverse));
}

/// X = AᵀX (I + G X)⁻¹ A + Q, by doubling: each pass squares what is left of the closed
/// loop.
// NOLINTNEXTLINE(performance-unnecessary-value-param): changed through its parts
std::optional<MatrixXd> doubled(Pencil pencil) {
  constexpr int kMostPasses = 60;
  constexpr double kConverged = 1e-15;
  auto& [A, G, X] = pencil;
  const MatrixXd unit = MatrixXd::Identity(A.rows(), A.rows());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const LuFactor factor(unit + G * X);
    const MatrixXd forward = factor.solve(A);
    const MatrixXd growth = symmetric(A.transpose() * X * forward);
    G += symmetric(A * factor.solve(G) * A.transpose());
    A = A * forward;
    X += growth;
    if (!X.allFinite() || !G.allFinite()) return std::nullopt;
    if (growth.norm() <= kConverged * X.norm()) return X;
  }
  return std::nullopt;
}

/// The continuous equation as a discrete one with the same solution, by
/// (s + shift)/(s − shift).
Pencil cayley(const Pencil& pencil, double shift) {
  const auto& [A, G, Q] = pencil;
  const MatrixXd unit = MatrixXd::Identity(A.rows(), A.rows());
  const LuFactor shifted(A - shift * unit);
  const MatrixXd across = shifted.solve(G);  // A_γ⁻¹ G
  const MatrixXd down = shifted.inverse();
  const LuFactor W((A - shift * unit).transpose() + Q * across);
  const MatrixXd inverse = W.inverse();
  return {unit + 2.0 * shift * inverse.transpose(),
          symmetric(2.0 * shift * across * inverse),
          symmetric(2.0 * shift * W.solve(Q * down))};
}

/// The geometric mean of the slowest and the fastest mode of the optimal loop: the shift
/// that lets both decay alike.
double middle_frequency(const Pencil& pencil) {
  const auto& [A, G, Q] = pencil;
  MatrixXd hamiltonian(2 * A.rows(), 2 * A.rows());
  hamiltonian << A, -G, -Q, -A.transpose();
  const Eigen::VectorXd sizes = eigenvalues(hamiltonian).cwiseAbs();
  const double most = sizes.maxCoeff();
  return std::sqrt(most * std::max(sizes.minCoeff(), 1e-12 * most));
}

constexpr double kResidual = 1e-9;  // of the largest term

[[noreturn]] void refuse_unsolved(const std::string& path) {
  throw SettingError(path,
                     "no stabilising solution of the Riccati equation was found; the "
                     "weights or the model's time constants are too many decades apart");
}

/// True if X satisfies its equation and A − G X decays.
bool solves_continuous(const Pencil& pencil, const MatrixXd& X) {
  const auto& [A, G, Q] = pencil;
  const MatrixXd drift = A.transpose() * X;
  const MatrixXd gain = X * G * X;
  const double largest = std::max({drift.norm(), gain.norm(), Q.norm()});
  return (drift + drift.transpose() - gain + Q).norm() <= kResidual * largest &&
         is_asymptotically_stable(A - G * X, TimeDomain::kContinuous);
}

/// True if X satisfies its equation and (I + G X)⁻¹ A = A − B K decays.
bool solves_discrete(const Pencil& pencil, const MatrixXd& X) {
  const auto& [A, G, Q] = pencil;
  const MatrixXd unit = MatrixXd::Identity(A.rows(), A.rows());
  const MatrixXd loop = solved(unit + G * X, A);
  return (A.transpose() * X * loop + Q - X).norm() <= kResidual * X.norm() &&
         is_asymptotically_stable(loop, TimeDomain::kDiscrete);
}

}  // namespace

RiccatiSolution solve_continuous_riccati(const QuadraticProblem& problem,
                                         const std::string& path) {
  Pencil pencil = checked(problem, path);
  const Scales scales = normalise(pencil);
  require_solvable(pencil, TimeDomain::kContinuous, path);
  const double middle = middle_frequency(pencil);
  // A shift that is an eigenvalue itself does not work; two of three are none.
  for (const double factor : {1.0, 1.31, 0.72}) {
    const std::optional<MatrixXd> X = doubled(cayley(pencil, factor * middle));
    if (!X || !solves_continuous(pencil, *X)) continue;
    RiccatiSolution solution{in_units(*X, scales), {}};
    solution.K = solve_symmetric(problem.R, problem.B.transpose() * solution.X);
    return solution;
  }
  refuse_unsolved(path);
}

RiccatiSolution solve_discrete_riccati(const QuadraticProblem& problem,
                                       const std::string& path) {
  Pencil pencil = checked(problem, path);
  const Scales scales = normalise(pencil);
  require_solvable(pencil, TimeDomain::kDiscrete, path);
  const std::optional<MatrixXd> X = doubled(pencil);
  if (!X || !solves_discrete(pencil, *X)) refuse_unsolved(path);
  RiccatiSolution solution{in_units(*X, scales), {}};
  const MatrixXd forward = problem.B.transpose() * solution.X;
  solution.K = solve_symmetric(problem.R + forward * problem.B, forward * problem.A);
  return solution;
}

}  // namespace trestle::math
