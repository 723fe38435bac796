#pragma once

#include <Eigen/Core>

#include "studies/identification/estimate.h"
#include "studies/identification/problem.h"

namespace trestle::identification {

/// Weights for one fit after the other: by the sensors' peaks first; where noise grows with
/// the reading then three times by what the last fit predicts.
class Weighing {
 public:
  explicit Weighing(const Problem& problem) : Weighing(problem, problem.passes.size()) {}
  Weighing(const Problem& problem, std::size_t passes);

  /// Works out the next weights. @returns false when the last fit was the final one
  bool next(const Estimate& last);

  /// In noise deviations where the level is known; else up to its factor.
  const Eigen::VectorXd& weights() const { return weights_; }

 private:
  const Problem& problem_;
  std::size_t passes_;
  int round_ = 0;
  Eigen::VectorXd weights_;
};

}  // namespace trestle::identification
