#include "numerical/integration/mass_checks.h"

#include <stdexcept>

namespace trestle::integration {

bool is_diagonal(const structure::SparseMatrix& matrix) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
      if (entry.row() != entry.col() && entry.value() != 0.0) return false;
  return true;
}

std::vector<int> massless_equations(const structure::StructuralModel& structure) {
  std::vector<bool> has_mass(static_cast<std::size_t>(structure.equations), false);
  for (Eigen::Index j = 0; j < structure.mass.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(structure.mass, j); entry; ++entry)
      if (entry.value() != 0.0) has_mass[static_cast<std::size_t>(entry.row())] = true;
  std::vector<int> massless;
  for (int i = 0; i < structure.equations; ++i)
    if (!has_mass[static_cast<std::size_t>(i)]) massless.push_back(i);
  return massless;
}

bool has_experimental_part(const structure::StructuralModel& structure) {
  return structure.experimental_mass.squaredNorm() > 0.0 ||
         structure.experimental_damping.squaredNorm() > 0.0 ||
         structure.experimental_stiffness.squaredNorm() > 0.0;
}

std::string format_dof(const structure::StructuralModel& structure, int equation) {
  for (const structure::NamedDof& dof : structure.dofs) {
    if (dof.equation != equation) continue;
    const std::size_t dot = dof.name.rfind('.');
    if (dot == std::string::npos) return dof.name;
    return dof.name.substr(dot + 1) + " of " + dof.name.substr(0, dot);
  }
  return "equation " + std::to_string(equation + 1);
}

namespace {

bool has_entry(const structure::SparseMatrix& matrix, int equation) {
  for (structure::SparseMatrix::InnerIterator entry(matrix, equation); entry; ++entry)
    if (entry.value() != 0.0) return true;
  return false;
}

[[noreturn]] void refuse(const structure::StructuralModel& structure,
                         const std::vector<int>& massless, const std::string& integrator,
                         const std::string& where) {
  const std::string dof = format_dof(structure, massless.front());
  const bool turns = dof.starts_with("rz");
  const std::string others = massless.size() > 1
                                 ? " (and " + std::to_string(massless.size() - 1) + " more)"
                                 : std::string();
  throw std::invalid_argument(integrator + " needs mass on every DOF" + where + "; " + dof +
                              others + " has none. Give it a " +
                              (turns ? "rotational inertia" : "mass") +
                              ", or use operator-splitting.");
}

}  // namespace

void require_mass_everywhere(const structure::StructuralModel& structure,
                             const std::string& integrator) {
  const std::vector<int> massless = massless_equations(structure);
  if (!massless.empty()) refuse(structure, massless, integrator, "");
}

void require_mass_at_sites(const structure::StructuralModel& structure,
                           const std::string& integrator, SpecimenContribution part) {
  const bool any = part == SpecimenContribution::kAny;
  std::vector<int> massless;
  for (const int i : massless_equations(structure))
    if ((any && has_entry(structure.experimental_stiffness, i)) ||
        has_entry(structure.experimental_damping, i) ||
        has_entry(structure.experimental_mass, i))
      massless.push_back(i);
  if (!massless.empty())
    refuse(structure, massless, integrator,
           any ? " with a specimen" : " with a viscous or heavy specimen");
}

structure::SparseMatrix regularised_mass(const structure::StructuralModel& structure) {
  structure::SparseMatrix extra(structure.equations, structure.equations);
  for (const int i : massless_equations(structure)) extra.insert(i, i) = 1.0;
  return structure.mass + extra;
}

}  // namespace trestle::integration
