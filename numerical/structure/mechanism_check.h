#pragma once

#include <string>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// Names of DOFs that move together without any resistance. Equations shared by several
/// names stand under the first.
using Mechanism = std::vector<std::string>;

/// Returns the mechanisms of the structure: independent motions in the null space of the
/// whole stiffness at rest (numerical part, its springs, the experimental parts), at most
/// eight. Empty: the structure is stable.
///
/// The stiffness is scaled to a unit diagonal; a motion is free where its Rayleigh quotient
/// is below 4e-15 (dense: times the equations), the rounding of the assembly. Up to 300
/// equations by a dense eigenanalysis, above that by inverse iteration over one sparse
/// factor.
std::vector<Mechanism> mechanisms(const StructuralModel& structure);

/// One sentence: "nothing holds y: floor_w, floor_e and roof_w can move up and down
/// together, even with the specimens attached (mechanism)".
/// @param spatial  y of the model is not up
std::string describe(const Mechanism& mechanism, bool specimens_attached,
                     bool spatial = false);

/// Names of DOFs without mass in the given matrix of the structure's size.
std::vector<std::string> massless_dofs(const StructuralModel& structure,
                                       const SparseMatrix& mass);

/// Names of DOFs whose mass is below zero.
std::vector<std::string> negative_mass_dofs(const StructuralModel& structure,
                                            const SparseMatrix& mass);

}  // namespace trestle::structure
