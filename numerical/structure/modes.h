#pragma once

#include <Eigen/Core>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// Lowest modes of K·φ = ω²·M·φ, from the lowest up, mass-normalised: φᵢᵀ·M·φⱼ = δᵢⱼ.
struct Modes {
  Eigen::VectorXd frequencies;  ///< ω [rad/s]
  Eigen::MatrixXd shapes;       ///< φ, one column per mode, one row per equation
};

/// @param stiffness  symmetric, positive semi-definite
/// @param mass       symmetric, positive semi-definite; massless DOFs follow statically
/// @param count      > 0; fewer come back where the mass has a lower rank
///
/// Up to 600 equations all eigenvalues of L⁻¹·M·L⁻ᵀ, K = L·Lᵀ, which needs no inverse of
/// the mass; above that subspace iteration (Bathe 2014, sec. 11.6) over one sparse factor.
/// Where the stiffness is singular both work on K + s·M, s small.
/// @throws std::runtime_error if neither K nor K + s·M is positive definite (massless
///         mechanism: see diagnosis.h)
Modes lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count);

/// Returns the lowest modes of numerical and experimental parts together, at rest.
Modes lowest_modes(const StructuralModel& structure, int count);

/// ζᵢ = φᵢᵀ·C·φᵢ / (2ωᵢ) with all damping of both parts, the modal one too [1]. Zero for a
/// mode of zero frequency.
Eigen::VectorXd damping_ratios(const StructuralModel& structure, const Modes& modes);

}  // namespace trestle::structure
