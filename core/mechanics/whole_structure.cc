#include "core/mechanics/whole_structure.h"

namespace trestle {

SparseMatrix numerical_stiffness(const Structure& structure) {
  if (structure.springs.empty()) return structure.stiffness;
  std::vector<Eigen::Triplet<double>> entries;
  for (const StructureSpring& spring : structure.springs) {
    const double k = spring.law->initial_stiffness();
    entries.emplace_back(spring.from, spring.from, k);
    if (spring.to < 0) continue;
    entries.emplace_back(spring.to, spring.to, k);
    entries.emplace_back(spring.from, spring.to, -k);
    entries.emplace_back(spring.to, spring.from, -k);
  }
  SparseMatrix springs(structure.equations, structure.equations);
  springs.setFromTriplets(entries.begin(), entries.end());
  return structure.stiffness + springs;
}

SparseMatrix whole_stiffness(const Structure& structure) {
  return numerical_stiffness(structure) + structure.experimental_stiffness;
}

SparseMatrix whole_mass(const Structure& structure) {
  return structure.mass + structure.experimental_mass;
}

SparseMatrix whole_damping(const Structure& structure) {
  return structure.damping + structure.experimental_damping;
}

}  // namespace trestle
