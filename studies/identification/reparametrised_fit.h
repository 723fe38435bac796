#pragma once

#include "studies/identification/identification_problem.h"
#include "studies/identification/levenberg_marquardt.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

/// Levenberg and Marquardt's method in the variables of Reparametrisation and, where the
/// road is unknown, its coefficients: then the most probable parameters and road together.
/// @param start  parameters; road coefficients, or none to begin with an even road
ParameterEstimate reparametrised_fit(const IdentificationProblem& problem,
                                     const ParameterEstimate& start,
                                     const DescentLimits& limits, std::size_t passes);

/// From the guess. Where the road is unknown and the fit does not explain the noise, again
/// with one pass after the other, and from other guesses; the best is kept.
ParameterEstimate reparametrised_fit(const IdentificationProblem& problem,
                                     const DescentLimits& limits);

}  // namespace trestle::identification
