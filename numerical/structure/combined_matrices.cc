#include "numerical/structure/combined_matrices.h"

#include <cmath>

namespace trestle::structure {

namespace {

/// With the initial stiffness of the nonlinear springs that are wanted.
template <typename Wanted>
SparseMatrix with_springs(const StructuralModel& structure, Wanted wanted) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const NonlinearSpring& spring : structure.springs) {
    if (!wanted(*spring.law)) continue;
    const double k = spring.law->initial_stiffness();
    for (const DofTerm& row : spring.elongation)
      for (const DofTerm& column : spring.elongation)
        entries.emplace_back(row.equation, column.equation,
                             row.coefficient * column.coefficient * k);
  }
  if (entries.empty()) return structure.stiffness;
  SparseMatrix springs(structure.equations, structure.equations);
  springs.setFromTriplets(entries.begin(), entries.end());
  return structure.stiffness + springs;
}

}  // namespace

SparseMatrix numerical_stiffness(const StructuralModel& structure) {
  return with_springs(structure, [](const materials::RestoringForce&) { return true; });
}

SparseMatrix elastic_stiffness(const StructuralModel& structure) {
  SparseMatrix whole = with_springs(structure,
                                    [](const materials::RestoringForce& law) {
                                      return !std::isfinite(law.yield_force());
                                    }) +
                       structure.experimental_stiffness;
  if (structure.geometric_stiffness.size() > 0) whole -= structure.geometric_stiffness;
  if (structure.experimental_yielding.size() == 0) return whole;
  return whole - structure.experimental_yielding;
}

SparseMatrix combined_stiffness(const StructuralModel& structure) {
  return numerical_stiffness(structure) + structure.experimental_stiffness;
}

SparseMatrix material_stiffness(const StructuralModel& structure) {
  if (structure.geometric_stiffness.size() == 0) return combined_stiffness(structure);
  return combined_stiffness(structure) - structure.geometric_stiffness;
}

SparseMatrix combined_mass(const StructuralModel& structure) {
  return structure.mass + structure.experimental_mass;
}

SparseMatrix combined_damping(const StructuralModel& structure) {
  return structure.damping + structure.experimental_damping;
}

HeldStiffness held_stiffness(const StructuralModel& structure, bool elastic) {
  const HeldDofs& held = structure.held;
  HeldStiffness rows{held.stiffness, held.own_stiffness};
  if (held.geometric_stiffness.size() > 0) {
    rows.by_equations -= held.geometric_stiffness;
    rows.by_held -= held.own_geometric_stiffness;
  }
  std::vector<Eigen::Triplet<double>> by_equations;
  std::vector<Eigen::Triplet<double>> by_held;
  for (const NonlinearSpring& spring : structure.springs) {
    if (elastic && std::isfinite(spring.law->yield_force())) continue;
    const double k = spring.law->initial_stiffness();
    for (const DofTerm& row : spring.held) {
      for (const DofTerm& column : spring.elongation)
        by_equations.emplace_back(row.equation, column.equation,
                                  row.coefficient * column.coefficient * k);
      for (const DofTerm& column : spring.held)
        by_held.emplace_back(row.equation, column.equation,
                             row.coefficient * column.coefficient * k);
    }
  }
  if (by_held.empty()) return rows;
  HeldDofs::Matrix springs(held.size(), structure.equations);
  springs.setFromTriplets(by_equations.begin(), by_equations.end());
  rows.by_equations += springs;
  springs.resize(held.size(), held.size());
  springs.setFromTriplets(by_held.begin(), by_held.end());
  rows.by_held += springs;
  return rows;
}

}  // namespace trestle::structure
