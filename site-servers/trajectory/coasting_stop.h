#pragma once

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"

namespace trestle::trajectory {

/// Stops a command in motion where no target follows: it continues in its direction and
/// loses its velocity with a time constant of 20 ms, more slowly if half of the
/// acceleration's limit requires it, and earlier if the limit of displacement is near: all
/// actuators in proportion, so that the loading frame stays where it can be. It is never
/// faster than before.
///
/// Lives on the real-time thread.
class CoastingStop {
 public:
  /// @param limits  one per actuator: displacement and acceleration
  /// @param tick    control tick δt [s], > 0
  CoastingStop(const RigLimits& limits, double tick);

  /// The stop begins with the velocity of the last command.
  /// @param way  of the last command, in one tick [m | rad]
  void begin(const ActuatorVector& way) noexcept { way_ = way; }
  /// The command stays where it is.
  void cancel() noexcept { way_.setZero(); }

  /// Once per tick.
  /// @param before  the command in force [m | rad]
  /// @returns       the command [m | rad]; `before`, bit for bit, at rest
  ActuatorVector next(const ActuatorVector& before) noexcept;

 private:
  double part_that_is_kept(const ActuatorVector& before) const noexcept;

  RigLimits limits_;
  double tick_;
  double kept_;         // of the velocity, over a tick
  ActuatorVector way_;  // of the last tick [m | rad]
};

}  // namespace trestle::trajectory
