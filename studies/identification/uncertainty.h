#pragma once

#include <Eigen/Core>
#include <optional>

#include "studies/identification/identification_problem.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

/// The information of the data around a point: the inverse of Fisher's information, priors
/// included.
struct LocalCovariance {
  Eigen::VectorXd parameters;  ///< the point
  Eigen::MatrixXd covariance;  ///< of ln(parameters); very large if the data do not
                               ///< determine them
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
  /// With stated noise: the sum of squared residuals passes the chi-square test at the
  /// level kResidualSignificance. Otherwise: neighbouring residuals are nearly
  /// uncorrelated, which is a rule of thumb. False means that the model lacks something
  /// that the bounds do not cover: an existing road, a wrong speed.
  bool explained = true;
};

/// @param unidentifiable_above  relative deviation of a parameter that the data leave open
Uncertainty uncertainty(const IdentificationProblem& problem,
                        const ParameterEstimate& estimate, double unidentifiable_above);

}  // namespace trestle::identification
