#include "numerical/integration/stable_time_step.h"

#include <cmath>
#include <limits>
#include <vector>

#include "core/math/dense_eigenvalues.h"
#include "numerical/integration/effective_solver.h"

namespace trestle::integration {
namespace {

constexpr Eigen::Index kDenseUpTo = 200;
constexpr int kMostIterations = 300;
constexpr double kTolerance = 1e-10;
// Largest relative distance of the bound from the Ritz value: if the bound is the result,
// 0.05 % of the time step on the safe side; less if the vector is used.
constexpr double kBoundSettled = 1e-3;
constexpr double kVectorSettled = 1e-5;

struct EigenPair {
  double value = 0.0;
  double bound = 0.0;      // value plus residual
  Eigen::VectorXd vector;  // of M-norm one
};

bool empty(const structure::SparseMatrix& matrix) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
      if (entry.value() != 0.0) return false;
  return true;
}

EigenPair dense_pair(const structure::SparseMatrix& stiffness,
                     const structure::SparseMatrix& mass) {
  const math::SymmetricEigen spectrum =
      math::symmetric_eigen(Eigen::MatrixXd(stiffness), Eigen::MatrixXd(mass));
  const Eigen::Index last = stiffness.rows() - 1;
  return {spectrum.values[last], spectrum.values[last], spectrum.vectors.col(last)};
}

/// The same start in every run, with a share of every mode.
Eigen::VectorXd start_vector(Eigen::Index size) {
  Eigen::VectorXd start(size);
  std::uint64_t state = 1;
  for (Eigen::Index i = 0; i < size; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    start[i] = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  return start;
}

/// Lanczos (1950) for M⁻¹·K, which is self-adjoint in the M-inner product. Orthogonality is
/// kept by full reorthogonalisation: the basis is short.
EigenPair lanczos_pair(const structure::SparseMatrix& stiffness,
                       const structure::SparseMatrix& mass, double settled_at) {
  const EffectiveSolver inverse(mass, {}, 0.0);
  std::vector<Eigen::VectorXd> basis;
  std::vector<double> diagonal;
  std::vector<double> beside;
  Eigen::VectorXd q = start_vector(stiffness.rows());
  q /= std::sqrt(q.dot(mass * q));
  EigenPair best;
  for (int step = 1; step <= kMostIterations; ++step) {
    basis.push_back(q);
    Eigen::VectorXd next = stiffness * q;
    diagonal.push_back(q.dot(next));
    inverse.solve(next);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd weighted = mass * next;
      for (const Eigen::VectorXd& old : basis) next -= old.dot(weighted) * old;
    }
    const double beta = std::sqrt(std::max(0.0, next.dot(mass * next)));
    if (step % 10 == 0 || step == kMostIterations || beta == 0.0) {
      const math::SymmetricEigen ritz = math::tridiagonal_eigen(
          Eigen::Map<const Eigen::VectorXd>(diagonal.data(), step),
          Eigen::Map<const Eigen::VectorXd>(beside.data(), step - 1));
      const Eigen::VectorXd shape = ritz.vectors.col(step - 1);
      best.value = ritz.values[step - 1];
      // The Ritz value's error is at most residual²/gap, and at most the residual.
      best.bound = best.value + beta * std::abs(shape[step - 1]);
      const bool settled = best.bound - best.value <= settled_at * best.value;
      if (settled || beta == 0.0 || step == kMostIterations) {
        best.vector = Eigen::VectorXd::Zero(stiffness.rows());
        for (int j = 0; j < step; ++j)
          best.vector += shape[j] * basis[static_cast<std::size_t>(j)];
        return best;
      }
    }
    beside.push_back(beta);
    q = next / beta;
  }
  return best;
}

EigenPair largest_pair(const structure::SparseMatrix& stiffness,
                       const structure::SparseMatrix& mass, double settled_at) {
  return stiffness.rows() <= kDenseUpTo ? dense_pair(stiffness, mass)
                                        : lanczos_pair(stiffness, mass, settled_at);
}

}  // namespace

double largest_eigenvalue(const structure::SparseMatrix& stiffness,
                          const structure::SparseMatrix& mass) {
  return largest_pair(stiffness, mass, kBoundSettled).bound;
}

double stable_time_step(const ExplicitStabilityProblem& part) {
  constexpr double kAlways = std::numeric_limits<double>::infinity();
  const bool viscous = !empty(part.experimental_damping);
  const bool elastic = part.kappa > 0.0 && !empty(part.stiffness);
  if (!viscous && !elastic && empty(part.experimental_mass)) return kAlways;

  const structure::SparseMatrix mass = part.mass - part.experimental_mass;
  try {
    const CholeskyFactor positive(mass);
  } catch (const NotPositiveDefinite&) {
    return 0.0;
  }
  if (!viscous && !elastic) return kAlways;
  if (!viscous) {
    const double lambda = largest_eigenvalue(part.stiffness, mass);
    return lambda > 0.0 ? 1.0 / std::sqrt(part.kappa * lambda) : kAlways;
  }

  // 1 = λ_max(Δt·C + κ·Δt²·K): with φ the vector of λ_max at one Δt, the root of the
  // quadratic 1 = Δt·φᵀCφ + κ·Δt²·φᵀKφ is the next; it comes down to the solution from
  // above like a Rayleigh quotient, so few rounds do.
  double step = 1.0 / largest_eigenvalue(part.experimental_damping, mass);
  for (int round = 0; round < 50; ++round) {
    const structure::SparseMatrix at_step =
        step * part.experimental_damping + part.kappa * step * step * part.stiffness;
    const EigenPair pair = largest_pair(at_step, mass, kVectorSettled);
    const double c = pair.vector.dot(part.experimental_damping * pair.vector);
    const double k = part.kappa * pair.vector.dot(part.stiffness * pair.vector);
    const double root = 2.0 / (c + std::sqrt(c * c + 4.0 * k));
    if (std::abs(root - step) <= kTolerance * step) return root;
    step = root;
  }
  return step;
}

}  // namespace trestle::integration
