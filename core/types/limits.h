#pragma once

#include <limits>
#include <vector>

namespace trestle {

/// Limits of one actuator. Infinity means that no limit is set.
struct ActuatorLimits {
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  double displacement = kNone;  ///< of the drive, either direction [m | rad]
  double rate = kNone;          ///< of the drive against the one before [m/s | rad/s]
  double force = kNone;         ///< measured, either direction [N | N·m]
  double tracking_error =
      kNone;  ///< |drive − measured| for longer than the dwell [m | rad]
  double tracking_dwell = 0.0;  ///< how long it may be above [s]
  /// Energy that delayed motion feeds into the specimen, relative to the energy that moves
  /// in and out of it.
  double energy_error = kNone;
  /// Change of the drive's rate from tick to tick, divided by the tick [m/s² | rad/s²].
  double acceleration = kNone;

  bool operator==(const ActuatorLimits&) const = default;
};

using RigLimits = std::vector<ActuatorLimits>;  ///< one per actuator

}  // namespace trestle
