#pragma once

#include <Eigen/Core>

#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// The load factor at which a structure buckles.
struct Buckling {
  double factor = 0.0;    ///< λ: infinite if no axial force can buckle it
  Eigen::VectorXd shape;  ///< φ, of any size; size zero: none
};

/// Smallest λ > 0 of (K + λ·K_G)·φ = 0, by Lanczos' method with full orthogonalisation
/// over one factor of K; the start is the same in every run.
/// @param elastic    K, positive definite
/// @param geometric  K_G of the axial forces at λ = 1
/// @throws NotPositiveDefinite
Buckling buckling(const structure::SparseMatrix& elastic,
                  const structure::SparseMatrix& geometric);

}  // namespace trestle::integration
