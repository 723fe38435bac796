#pragma once

#include <cstdint>

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"

namespace trestle {

/// The way to the safe position, zero drive at every actuator: all actuators together on
/// one straight line, starting and ending without a jump of velocity (3s² − 2s³).
class SafeRamp {
 public:
  /// @param limits    one per actuator; the ramp's peak rate stays at three quarters of
  /// them
  /// @param tick      control tick δt [s], > 0
  /// @param duration  shortest time for the way, slower where the limits ask for it [s], >=
  /// 0
  SafeRamp(const RigLimits& limits, double tick, double duration);

  /// @param drive  in force now [m | rad]
  void start(const ActuatorVector& drive) noexcept;

  /// @returns drive of the next tick; after the last one zero, exactly [m | rad]
  ActuatorVector next() noexcept;

  bool started() const noexcept { return ticks_ > 0; }
  bool finished() const noexcept { return started() && tick_ >= ticks_; }
  void cancel() noexcept { ticks_ = 0; }

 private:
  double shortest_;             // [ticks]
  ActuatorVector mean_change_;  // most per tick, averaged over the ramp [m | rad]
  ActuatorVector from_;
  std::int64_t tick_ = 0;
  std::int64_t ticks_ = 0;
};

}  // namespace trestle
