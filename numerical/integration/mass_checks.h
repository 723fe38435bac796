#pragma once

#include <string>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::integration {

bool is_diagonal(const structure::SparseMatrix& matrix);

/// Equations whose row of the numerical mass is empty.
std::vector<int> massless_equations(const structure::StructuralModel& structure);

/// Returns true if the structure has any experimental part.
bool has_experimental_part(const structure::StructuralModel& structure);

/// Formats the first name of an equation: "rz of roof_e".
std::string format_dof(const structure::StructuralModel& structure, int equation);

/// @throws std::invalid_argument naming the first massless DOF
void require_mass_everywhere(const structure::StructuralModel& structure,
                             const std::string& integrator);

/// The property of a specimen because of which a scheme needs mass at its DOFs.
enum class SpecimenContribution { kAny, kViscousOrHeavy };

/// As above, for the DOFs only at which a specimen has any stiffness, damping or mass, or
/// the latter two alone.
void require_mass_at_sites(const structure::StructuralModel& structure,
                           const std::string& integrator, SpecimenContribution part);

/// Numerical mass with one kilogram (or kg·m²) on each massless equation: what state 0 is
/// solved with; those equations carry no acceleration there.
structure::SparseMatrix regularised_mass(const structure::StructuralModel& structure);

}  // namespace trestle::integration
