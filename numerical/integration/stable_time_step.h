#pragma once

#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Largest λ of K·φ = λ·M·φ [1/s²]; M positive definite. Dense where the matrices are
/// small; else by Lanczos' iteration with the M-inner product, and then an upper bound: the
/// Ritz value plus its residual.
/// @throws NotPositiveDefinite for M
double largest_eigenvalue(const structure::SparseMatrix& stiffness,
                          const structure::SparseMatrix& mass);

/// The condition for a stable step with explicit springs:
///   M − Mₑ − Δt·Cₑ − κ·Δt²·K  positive definite,
/// Mₑ and Cₑ what the sites' forces contain of inertia and viscosity, K the stiffness that
/// is taken explicitly. With M·a + C·v implicit this is necessary and sufficient for
/// symmetric matrices: put z = (1+s)/(1−s) into the recursion and apply Routh's criterion
/// to its quadratic form with any mode; C drops out.
struct ExplicitStabilityProblem {
  const structure::SparseMatrix& mass;
  const structure::SparseMatrix& experimental_mass;
  const structure::SparseMatrix& experimental_damping;
  const structure::SparseMatrix& stiffness;
  double kappa = 0.25;
};

/// Supremum of the stable Δt [s]; 0: never stable; infinite: always.
double stable_time_step(const ExplicitStabilityProblem& part);

}  // namespace trestle::integration
