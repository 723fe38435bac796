#include "numerical/structure/imported_matrices.h"

#include <string_view>

namespace trestle::structure {
namespace {

Eigen::VectorXd influence(const ImportedMatrices& given, std::string_view direction) {
  const auto n = static_cast<Eigen::Index>(given.dofs.size());
  if (!given.influence.empty())
    return Eigen::Map<const Eigen::VectorXd>(given.influence.data(), n);
  Eigen::VectorXd ones(n);
  for (Eigen::Index i = 0; i < n; ++i)
    ones[i] = given.dofs[static_cast<std::size_t>(i)].ends_with(direction) ? 1.0 : 0.0;
  return ones;
}

void load_by_mass(StructuralModel& structure, const ImportedMatrices& given) {
  structure.base_load = Eigen::MatrixXd::Zero(structure.mass.rows(), kGroundDirections);
  structure.base_load.col(kGroundX) = -(structure.mass * influence(given, ".x"));
  structure.base_load.col(kGroundY) = -(structure.mass * influence(given, ".y"));
  structure.base_load.col(kGroundZ) = -(structure.mass * influence(given, ".z"));
}

void subtract(const Eigen::MatrixXd& part, const std::vector<int>& rows,
              SparseMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < part.rows(); ++i)
    for (Eigen::Index j = 0; j < part.cols(); ++j)
      if (part(i, j) != 0.0)
        entries.emplace_back(rows[static_cast<std::size_t>(i)],
                             rows[static_cast<std::size_t>(j)], part(i, j));
  SparseMatrix sparse(matrix.rows(), matrix.cols());
  sparse.setFromTriplets(entries.begin(), entries.end());
  matrix = SparseMatrix(matrix - sparse);
}

}  // namespace

StructuralModel build_imported_model(const ImportedMatrices& given) {
  const int n = static_cast<int>(given.dofs.size());
  StructuralModel structure;
  structure.equations = n;
  for (int i = 0; i < n; ++i) {
    const std::string& name = given.dofs[static_cast<std::size_t>(i)];
    structure.dofs.push_back({name, dof_kind(name), i});
  }
  structure.mass = given.mass;
  structure.stiffness = given.stiffness;
  structure.damping = given.damping;
  if (given.damping.size() == 0) structure.damping.resize(n, n);
  structure.experimental_mass.resize(n, n);
  structure.experimental_damping.resize(n, n);
  structure.experimental_stiffness.resize(n, n);
  load_by_mass(structure, given);
  if (!given.influence.empty())
    structure.influence = influence(given, "").replicate(1, kGroundDirections);
  return structure;
}

void remove_parts(StructuralModel& structure, const ImportedMatrices& given) {
  for (const RemovedPart& part : given.without) {
    subtract(part.mass, part.rows, structure.mass);
    subtract(part.stiffness, part.rows, structure.stiffness);
    subtract(part.damping, part.rows, structure.damping);
  }
  load_by_mass(structure, given);
}

}  // namespace trestle::structure
