#pragma once

#include "studies/identification/identification_problem.h"
#include "studies/identification/levenberg_marquardt.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

struct GlobalSettings {
  int points = 64;      ///< screened
  double factor = 6.0;  ///< around the guess, of the ratios
  int refined = 6;      ///< of the best
};

/// Screens Halton points of the ratios of Reparametrisation, the total mass of each by
/// linear projection; descends from the best, and polishes the best of those.
ParameterEstimate global_search(const IdentificationProblem& problem,
                                const GlobalSettings& settings,
                                const DescentLimits& limits);

}  // namespace trestle::identification
