#pragma once

#include <Eigen/Core>
#include <optional>

#include "studies/identification/identification_problem.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

/// What the data say around a point: the inverse of Fisher's information, priors included.
struct LocalCovariance {
  Eigen::VectorXd parameters;  ///< the point
  Eigen::MatrixXd covariance;  ///< of ln(parameters); huge where nothing is said
};

struct Uncertainty {
  LocalCovariance at_estimate;
  /// An estimate that leaves a parameter open may have run far along the valley, and what
  /// the bounds of the others are there says nothing of where the vehicle is: then the
  /// guess is asked as well.
  std::optional<LocalCovariance> at_guess;
  Eigen::MatrixXd road_factor;  ///< F of F Fᵀ, the covariance of the road's coefficients
  double condition_number = 0.0;  ///< of the sensitivities to ln(parameters)
  double noise_level = 0.0;       ///< stated, or else of the residual
  double misfit = 0.0;            ///< RMS of the residual in that level
  double most_misfit = 0.0;       ///< that a right model keeps to; 0: no noise was stated
  double freedom = 0.0;           ///< readings less what the fit takes of their noise
  /// If the noise was stated: the squares of the residual are no more than a chi-square
  /// variable of so many degrees of freedom is, but for kResidualSignificance. Else: one
  /// reading's has little to do with the next one's, which is a rule of thumb. If not, the
  /// model lacks something that the bounds know nothing of: a road that is there, a wrong
  /// speed.
  bool explained = true;
};

/// @param unidentifiable_above  relative deviation of a parameter that the data leave open
Uncertainty uncertainty(const IdentificationProblem& problem,
                        const ParameterEstimate& estimate, double unidentifiable_above);

}  // namespace trestle::identification
