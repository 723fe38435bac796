#pragma once

#include <string>
#include <vector>

#include "numerical/structure/structure.h"

namespace trestle {

bool is_diagonal(const SparseMatrix& matrix);

/// Equations whose row of the numerical mass is empty.
std::vector<int> massless_equations(const Structure& structure);

/// Anything known of what stands in the laboratories.
bool has_experimental_part(const Structure& structure);

/// For people: "rz of roof_e" for the first name of an equation.
std::string dof_words(const Structure& structure, int equation);

/// @throws std::invalid_argument naming the first massless DOF
void require_mass_everywhere(const Structure& structure, const std::string& integrator);

/// What a specimen brings that a scheme needs mass against.
enum class SpecimenPart { kAny, kViscousOrHeavy };

/// As above, for the DOFs only at which a specimen has any stiffness, damping or mass, or
/// the latter two alone.
void require_mass_at_sites(const Structure& structure, const std::string& integrator,
                           SpecimenPart part);

/// Numerical mass with one kilogram (or kg·m²) on each massless equation: what state 0 is
/// solved with; those equations carry no acceleration there.
SparseMatrix starting_mass(const Structure& structure);

}  // namespace trestle
