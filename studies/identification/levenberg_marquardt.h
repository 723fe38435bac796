#pragma once

#include <Eigen/Core>
#include <functional>

namespace trestle::identification {

/// Residuals r(x) and dr/dx.
struct Linearised {
  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
};
using Linearise = std::function<Linearised(const Eigen::VectorXd& x)>;

struct DescentLimits {
  int most_iterations = 100;
  double tolerance = 1e-9;  ///< of the largest change of the clipped variables
  double clip = 1.0;        ///< largest change of one of them in a step
  double reach = 7.0;       ///< farthest from where they began
  /// Part of the cost that ten iterations must take off to go on; 0: none.
  double least_progress = 0.0;
};

struct LeastSquaresResult {
  Eigen::VectorXd x;
  Linearised at;
  double cost = 0.0;  ///< ‖r‖²
  int iterations = 0;
  bool converged = false;
};

/// Levenberg and Marquardt's method by QR of the augmented system; damping by the gain
/// ratio (Nielsen 1999), scaled by the columns (Moré 1978).
/// @param clipped  number of variables, from the first, that are clipped
LeastSquaresResult levenberg_marquardt(const Linearise& linearise,
                                       const Eigen::VectorXd& start, Eigen::Index clipped,
                                       const DescentLimits& limits);

}  // namespace trestle::identification
