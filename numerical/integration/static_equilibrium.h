#pragma once

#include <Eigen/Core>

#include "numerical/integration/static_newton.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Finds d with f(d) + K_e·d = p, at rest: numerical part, nonlinear springs, and the
/// specimens by their initial stiffness. The load grows in equal increments; each is found
/// by Newton's method and committed to the springs' laws, which must be at rest before.
///
/// An increment has settled if the last correction is at most 1e-13 m (rad), or if it is
/// below 1e-9 of the displacement and no longer falls: rounding. At most 100 corrections.
/// @throws NoEquilibrium if an increment does not settle, or the tangent is not positive
///         definite
Eigen::VectorXd static_equilibrium(const structure::StructuralModel& structure,
                                   const Eigen::VectorXd& load, int increments);

}  // namespace trestle::integration
