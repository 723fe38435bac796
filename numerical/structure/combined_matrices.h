#pragma once

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// Stiffness at rest of the numerical part alone: its matrix and the initial stiffness of
/// its nonlinear springs.
SparseMatrix numerical_stiffness(const StructuralModel& structure);

/// What a scheme that takes the springs' forces at its prediction keeps on its implicit
/// side, or is limited by: the same, with the largest tangent of springs that have none at
/// rest (gap, hook).
SparseMatrix splitting_stiffness(const StructuralModel& structure);
/// Both parts together.
SparseMatrix combined_splitting_stiffness(const StructuralModel& structure);

/// Both parts together, of what cannot yield; without the geometric stiffness.
SparseMatrix elastic_stiffness(const StructuralModel& structure);

/// Both parts together, at rest. Without modal damping, whose matrix would be full.
SparseMatrix combined_stiffness(const StructuralModel& structure);
/// The same without the geometric stiffness, which damps nothing.
SparseMatrix material_stiffness(const StructuralModel& structure);
/// Stiffness at rest of the members whose material can yield: a part of the structure's.
SparseMatrix yielding_members(const StructuralModel& structure);
/// Whether any member has a law.
bool have_laws(const std::vector<AssembledMember>& members);
SparseMatrix combined_mass(const StructuralModel& structure);
SparseMatrix combined_damping(const StructuralModel& structure);

/// Rows of the held DOFs in the stiffness that damps: without the geometric stiffness.
struct HeldStiffness {
  HeldDofs::Matrix by_equations;
  HeldDofs::Matrix by_held;
};

/// @param elastic  only of what cannot yield; else of everything at rest
HeldStiffness held_stiffness(const StructuralModel& structure, bool elastic);

}  // namespace trestle::structure
