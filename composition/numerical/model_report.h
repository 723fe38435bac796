#pragma once

#include <Eigen/Core>
#include <vector>

#include "composition/numerical/numerical_factory.h"

namespace trestle::config {
class Frame;
}  // namespace trestle::config

namespace trestle::composition {

/// Returns the ends of members whose hinges are rigid before they yield.
std::vector<RigidHingeReport> rigid_hinges(const config::Frame& frame);

/// Returns the links that are friction pendulums.
std::vector<PendulumReport> pendulums(const config::Frame& frame);

/// Returns the motion of all DOFs that move: of the named ones, and of those that follow
/// them.
/// @param shapes  one column per mode over the equations
std::vector<ModeShapeRow> mode_shape_rows(const structure::StructuralModel& structure,
                                          const Eigen::MatrixXd& shapes);

}  // namespace trestle::composition
