#pragma once

#include <Eigen/Core>

namespace trestle::identification {

/// The result of a method.
struct ParameterEstimate {
  Eigen::VectorXd parameters;  ///< values of the unknown elements
  Eigen::VectorXd road;        ///< coefficients of the unknown road; may be empty
  int iterations = 0;
  bool converged = false;
  double cost = 0.0;     ///< ‖weighted residual‖², prior included
  double squares = 0.0;  ///< of the readings alone; where a road was looked for
};

}  // namespace trestle::identification
