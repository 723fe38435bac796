#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

/// The initial state of the recursive least squares of one actuator.
struct RlsInitialState {
  Eigen::VectorXd coefficients;
  Eigen::MatrixXd covariance;  ///< P [1/m²]
};

/// The start of every actuator of a compensator.
struct RlsInitialStates {
  std::vector<RlsInitialState> given{};  ///< one per actuator; or
  PerActuator initial_delay = 0.0;       ///< that of the transfer system [s]
  double initial_covariance = 1e10;      ///< of that start, times the identity [1/m²]

  /// @param command_taps, target_taps  coefficients, in this order; from a delay, those of
  ///                                   commands are zero
  /// @throws SettingError  `start...`, `initial_delay` or `initial_covariance`
  std::vector<RlsInitialState> checked(int actuators, int command_taps, int target_taps,
                                       double tick) const;
};

/// Returns the weights of the last targets with the least sum of squares whose sum is one
/// and which lead a ramp by `ticks`. For two taps these are inverse compensation, 1 + n and
/// −n.
Eigen::VectorXd phase_lead_taps(int taps, double ticks);

}  // namespace trestle::compensators
