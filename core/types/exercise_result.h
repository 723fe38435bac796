#pragma once

#include <string>

namespace trestle {

/// What one actuator of a rig did during a small sine of its drive, and what was stated.
struct ExerciseResult {
  std::string name{};
  std::string unit{};      ///< of amplitude and noise: m, rad
  double amplitude = 0.0;  ///< of the drive [m | rad]
  /// Measured amplitude over that of the drive; below zero: it moves against its drive.
  double gain = 0.0;
  /// From the drive to the reading that shows it, with the control tick between them [s].
  double delay = 0.0;
  double noise = 0.0;  ///< standard deviation of a reading before the sine [m | rad]
  /// Own force in phase with the measured motion [N/m | N·m/rad]; a specimen that resists
  /// has one above zero.
  double stiffness = 0.0;
  std::string finding{};  ///< one clause: what is not as stated; empty: all is
  bool operator==(const ExerciseResult&) const = default;
};

}  // namespace trestle
