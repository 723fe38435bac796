#pragma once

#include <Eigen/Core>

#include "studies/identification/identification_problem.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

/// Weights for one fit after the other: by the sensors' peaks first; where noise grows with
/// the reading then three times by what the last fit predicts.
class ResidualWeights {
 public:
  explicit ResidualWeights(const IdentificationProblem& problem)
      : ResidualWeights(problem, problem.passes.size()) {}
  ResidualWeights(const IdentificationProblem& problem, std::size_t passes);

  /// Works out the next weights. @returns false when the last fit was the final one
  bool next(const ParameterEstimate& last);

  /// In noise deviations where the level is known; else up to its factor.
  const Eigen::VectorXd& weights() const { return weights_; }

 private:
  const IdentificationProblem& problem_;
  std::size_t passes_;
  int round_ = 0;
  Eigen::VectorXd weights_;
};

}  // namespace trestle::identification
