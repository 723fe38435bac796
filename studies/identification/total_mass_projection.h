#pragma once

#include <Eigen/Core>

#include "studies/identification/identification_problem.h"
#include "studies/identification/reparametrisation.h"

namespace trestle::identification {

/// Parameters, and how far they are from the readings.
struct MassProjection {
  Eigen::VectorXd parameters;
  double cost = 0.0;  ///< ‖weighted residual‖²
};

/// Scales the total mass, all ratios kept, so that the response comes nearest to the
/// readings, as if it were in proportion, which it nearly is.
/// @param theta  see Reparametrisation
MassProjection fit_total_mass(const IdentificationProblem& problem,
                              const Reparametrisation& variables,
                              const Eigen::VectorXd& theta, const Eigen::VectorXd& weights,
                              std::size_t passes);

}  // namespace trestle::identification
