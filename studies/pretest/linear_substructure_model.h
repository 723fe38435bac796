#pragma once

#include <cstddef>
#include <vector>

#include "numerical/integration/time_integrator.h"
#include "numerical/structure/structural_model.h"

namespace trestle::pretest {

/// The numerical part with its integrator, step by step and without excitation:
///
///   y[k] = C·s[k−1],  s[k] = A·s[k−1] + B·f         where the target comes first,
///   s[k] = A·s[k−1] + B·f,  y[k] = C·s[k]           where the scheme solves before it.
///
/// With several commands in a step (TimeIntegrator::commands()) this is the first of them,
/// and k counts commands. s has the prediction of the step and the last answers, too.
///
/// s: displacements, velocities and accelerations of all equations, and what the scheme
/// remembers beside them. f: forces of the sites. y: displacements of all controlled DOFs,
/// then their velocities, then their accelerations.
struct LinearSubstructureModel {
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  // NOLINT(readability-identifier-naming)
  bool uses_previous_step_force = false;
  std::vector<LinearSubstructureModel> further{};  ///< the other commands of a step

  /// Commands to the sites in one step.
  std::size_t commands() const noexcept { return 1 + further.size(); }
};

/// The equations of the sites, site by site in the order of the test.
struct LoopEquations {
  std::vector<int> controlled;  ///< of every DOF that gets a target
  std::vector<int> loaded;      ///< of every DOF whose force is answered
};

/// Returns the effect of the integrator on a state, computed from unit states. Nonlinear
/// springs count with their initial stiffness, as explicit as in the test.
/// @param integrator  made for this structure; its memory is lost
LinearSubstructureModel linearise(integration::TimeIntegrator& integrator,
                                  const structure::StructuralModel& structure,
                                  const LoopEquations& equations);

}  // namespace trestle::pretest
