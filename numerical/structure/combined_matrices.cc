#include "numerical/structure/combined_matrices.h"

#include <algorithm>
#include <cmath>

namespace trestle::structure {

namespace {

double stiffness_at_rest(const materials::RestoringForce& law) {
  return law.initial_stiffness();
}
double stiffness_to_split(const materials::RestoringForce& law) {
  return law.initial_stiffness() == 0.0 ? law.largest_stiffness() : law.initial_stiffness();
}

/// With the stiffness of the nonlinear springs that are wanted.
template <typename Wanted>
SparseMatrix with_springs(const StructuralModel& structure, Wanted wanted,
                          double (*stiffness_of)(const materials::RestoringForce&)) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const NonlinearSpring& spring : structure.springs) {
    if (!wanted(*spring.law)) continue;
    const double k = stiffness_of(*spring.law);
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
  return with_springs(
      structure, [](const materials::RestoringForce&) { return true; }, stiffness_at_rest);
}

SparseMatrix splitting_stiffness(const StructuralModel& structure) {
  return with_springs(
      structure, [](const materials::RestoringForce&) { return true; }, stiffness_to_split);
}

SparseMatrix combined_splitting_stiffness(const StructuralModel& structure) {
  return splitting_stiffness(structure) + structure.experimental_stiffness;
}

SparseMatrix elastic_stiffness(const StructuralModel& structure) {
  SparseMatrix whole = with_springs(
                           structure,
                           [](const materials::RestoringForce& law) {
                             return !std::isfinite(law.yield_force());
                           },
                           stiffness_at_rest) +
                       structure.experimental_stiffness;
  if (structure.geometric_stiffness.size() > 0) whole -= structure.geometric_stiffness;
  if (have_laws(structure.members)) whole -= yielding_members(structure);
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

SparseMatrix yielding_members(const StructuralModel& structure) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const AssembledMember& member : structure.members) {
    if (!member.law || !member.law->yields()) continue;
    const Eigen::MatrixXd global =
        member.ends.transpose() * member.law->initial() * member.ends;
    for (std::size_t i = 0; i < member.equations.size(); ++i)
      for (std::size_t j = 0; j < member.equations.size(); ++j)
        entries.emplace_back(
            member.equations[i], member.equations[j],
            global(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
  }
  SparseMatrix result(structure.equations, structure.equations);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

bool have_laws(const std::vector<AssembledMember>& members) {
  return std::any_of(members.begin(), members.end(),
                     [](const AssembledMember& member) { return member.law != nullptr; });
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
  for (const AssembledMember& member : structure.members) {
    if (!elastic || !member.law || !member.law->yields() || member.held.empty()) continue;
    const Eigen::MatrixXd by_end = -(member.held_ends.transpose() * member.law->initial());
    const auto put = [&member](std::vector<Eigen::Triplet<double>>& to,
                               const std::vector<int>& columns,
                               const Eigen::MatrixXd& values) {
      for (std::size_t i = 0; i < member.held.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
          to.emplace_back(
              member.held[i], columns[j],
              values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    };
    put(by_equations, member.equations, by_end * member.ends);
    put(by_held, member.held, by_end * member.held_ends);
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
