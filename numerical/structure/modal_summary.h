#pragma once

#include <Eigen/Core>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// The properties of a model that a person checks before a test.
struct ModalSummary {
  int equations = 0;
  std::vector<double> periods;  ///< of numerical and experimental parts together [s]
  std::vector<double> ratios;   ///< of critical damping, mode by mode [1]
  /// Mass that moves with each mode as the ground does along x, y, z: (φᵀ·M·ι)² [kg].
  Eigen::MatrixX3d effective_masses;
  /// The sum of these over all modes: ιᵀ·M·ι [kg].
  Eigen::RowVector3d moving_mass;
  /// Mass-normal, φᵀ·M·φ = 1: one column per mode over the equations [1/√kg | rad/(m·√kg)].
  /// The largest entry of a column is positive.
  Eigen::MatrixXd shapes;
};

/// @param modes  how many at most
ModalSummary summarise_modes(const StructuralModel& structure, int modes);

}  // namespace trestle::structure
