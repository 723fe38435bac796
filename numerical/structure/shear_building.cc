#include "numerical/structure/shear_building.h"

#include <utility>

namespace trestle::structure {

StructuralModel shear_building(std::vector<Storey> storeys) {
  const int n = static_cast<int>(storeys.size());
  StructuralModel structure;
  structure.equations = n;
  structure.base_load = Eigen::MatrixXd::Zero(n, kGroundDirections);
  std::vector<Eigen::Triplet<double>> mass;
  std::vector<Eigen::Triplet<double>> stiffness;
  for (int i = 0; i < n; ++i) {
    Storey& storey = storeys[static_cast<std::size_t>(i)];
    structure.dofs.push_back({storey.name + ".x", DofKind::kTranslation, i});
    structure.base_load(i, kGroundX) = -storey.mass;
    mass.emplace_back(i, i, storey.mass);
    if (storey.law) {
      structure.springs.push_back({between(i, i - 1), std::move(storey.law)});
      continue;
    }
    stiffness.emplace_back(i, i, storey.stiffness);
    if (i == 0) continue;
    stiffness.emplace_back(i - 1, i - 1, storey.stiffness);
    stiffness.emplace_back(i, i - 1, -storey.stiffness);
    stiffness.emplace_back(i - 1, i, -storey.stiffness);
  }
  for (SparseMatrix* matrix :
       {&structure.mass, &structure.damping, &structure.stiffness,
        &structure.experimental_mass, &structure.experimental_damping,
        &structure.experimental_stiffness})
    matrix->resize(n, n);
  structure.mass.setFromTriplets(mass.begin(), mass.end());
  structure.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
  return structure;
}

}  // namespace trestle::structure
