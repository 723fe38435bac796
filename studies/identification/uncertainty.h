#pragma once

#include <Eigen/Core>
#include <optional>

#include "studies/identification/estimate.h"
#include "studies/identification/problem.h"

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
  /// The residual is as large as the noise that was stated; where none was, one reading's
  /// has little to do with the next one's. Else the model lacks something that the bounds
  /// know nothing of: a road that is there, a wrong speed.
  bool explained = true;
};

/// @param open_above  relative deviation of a parameter that the data leave open
Uncertainty uncertainty(const Problem& problem, const Estimate& estimate,
                        double open_above);

}  // namespace trestle::identification
