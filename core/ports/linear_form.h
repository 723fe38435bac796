#pragma once

#include <Eigen/Core>
#include <vector>

namespace trestle {

/// What a compensator is for one actuator as long as its coefficients stay:
///
///   u[k] = Σ tᵢ·x[k−i] + b·ẋ[k] + c·ẍ[k] + Σ mⱼ·u[k−j],   i = 0, 1, ...,   j = 1, 2, ...
///
/// x the target, u the command.
struct LinearCommand {
  std::vector<double> targets;     ///< t₀, t₁, ...
  double velocity = 0.0;           ///< b [s]
  double acceleration = 0.0;       ///< c [s²]
  std::vector<double> commands{};  ///< m₁, m₂, ...
};

/// What an actuator controller is as long as nothing saturates:
///
///   drive[k] = C·q[k] + D·(command[k]; measured[k]),   q[k+1] = A·q[k] + B·(...),
///
/// commands of all actuators above their measured displacements.
struct LinearControl {
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D;  // NOLINT(readability-identifier-naming)
};

}  // namespace trestle
