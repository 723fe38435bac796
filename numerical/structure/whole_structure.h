#pragma once

#include "numerical/structure/structure.h"

namespace trestle {

/// Stiffness at rest of the numerical part alone: its matrix and the initial stiffness of
/// its nonlinear springs.
SparseMatrix numerical_stiffness(const Structure& structure);

/// Both parts together, of what cannot yield.
SparseMatrix elastic_stiffness(const Structure& structure);

/// Both parts together, at rest. Without modal damping, whose matrix would be full.
SparseMatrix whole_stiffness(const Structure& structure);
SparseMatrix whole_mass(const Structure& structure);
SparseMatrix whole_damping(const Structure& structure);

}  // namespace trestle
