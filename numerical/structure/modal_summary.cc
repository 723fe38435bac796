#include "numerical/structure/modal_summary.h"

#include <array>
#include <limits>
#include <numbers>

#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modes.h"

namespace trestle::structure {
namespace {

/// Displacement of every equation as the ground moves by one along x, y, z.
Eigen::MatrixX3d carried_by_ground(const StructuralModel& structure) {
  if (structure.influence.cols() >= 3) return structure.influence.leftCols<3>();
  Eigen::MatrixX3d influence = Eigen::MatrixX3d::Zero(structure.equations, 3);
  constexpr std::array<const char*, 3> kAlong{".x", ".y", ".z"};
  for (const NamedDof& dof : structure.dofs)
    for (std::size_t k = 0; k < kAlong.size(); ++k)
      if (dof.name.ends_with(kAlong[k]))
        influence(dof.equation, static_cast<Eigen::Index>(k)) = 1.0;
  return influence;
}

void add_masses(const StructuralModel& structure, const Modes& modes,
                ModalSummary& summary) {
  const Eigen::MatrixX3d ground = carried_by_ground(structure);
  const Eigen::MatrixX3d momentum = combined_mass(structure) * ground;
  summary.effective_masses = (modes.shapes.transpose() * momentum).array().square();
  summary.moving_mass = (ground.array() * momentum.array()).colwise().sum();
}

}  // namespace

ModalSummary summarise_modes(const StructuralModel& structure, int modes) {
  const Modes lowest = lowest_modes(structure, modes);
  const Eigen::VectorXd ratios = damping_ratios(structure, lowest);
  ModalSummary summary{.equations = structure.equations,
                       .periods = {},
                       .ratios = {},
                       .effective_masses = {},
                       .moving_mass = {},
                       .shapes = lowest.shapes};
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    const double omega = lowest.frequencies[i];
    summary.periods.push_back(omega > 0.0 ? 2.0 * std::numbers::pi / omega
                                          : std::numeric_limits<double>::infinity());
    summary.ratios.push_back(ratios[i]);
  }
  add_masses(structure, lowest, summary);
  for (auto shape : summary.shapes.colwise()) {
    Eigen::Index largest = 0;
    if (shape.size() > 0 && shape.cwiseAbs().maxCoeff(&largest) > 0.0 &&
        shape[largest] < 0.0)
      shape = -shape;
  }
  return summary;
}

}  // namespace trestle::structure
