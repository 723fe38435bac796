#pragma once

#include <Eigen/Core>
#include <vector>

namespace trestle {

/// Linear form of a compensator for one actuator, while its coefficients are constant:
///
///   u[k] = Σ tᵢ·x[k−i] + b·ẋ[k] + c·ẍ[k] + Σ mⱼ·u[k−j],   i = 0, 1, ...,   j = 1, 2, ...
///
/// with the target x and the command u, both [m | rad].
struct LinearCompensatorModel {
  std::vector<double> targets;     ///< t₀, t₁, ...
  double velocity = 0.0;           ///< b [s]
  double acceleration = 0.0;       ///< c [s²]
  std::vector<double> commands{};  ///< m₁, m₂, ...
};

/// Linear form of an actuator controller, while it does not saturate:
///
///   drive[k] = C·q[k] + D·(command[k]; measured[k]),   q[k+1] = A·q[k] + B·(...),
///
/// with the input (command; measured): the commands of all actuators, then their measured
/// displacements [m | rad]. With n actuators and m states, A is m × m, B m × 2n, C n × m, D
/// n × 2n.
struct LinearControllerModel {
  Eigen::MatrixXd A;  ///< state matrix, m × m. NOLINT(readability-identifier-naming)
  Eigen::MatrixXd B;  ///< input matrix, m × 2n. NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  ///< output matrix, n × m. NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D;  ///< feedthrough, n × 2n. NOLINT(readability-identifier-naming)
};

}  // namespace trestle
