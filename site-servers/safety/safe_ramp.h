#pragma once

#include <cstdint>

#include "core/base/snapshot.h"
#include "core/types/actuator_vector.h"
#include "core/types/limits.h"

namespace trestle::safety {

/// The way to the safe position, zero drive at every actuator: all actuators together on
/// one straight line, starting and ending without a jump of velocity (3s² − 2s³).
///
/// With D the distance and T the time of the way, its peak rate is 1.5·D/T and its peak
/// acceleration 6·D/T²; T is such that both stay at three quarters of their limits. The
/// differences of its ticks are means of those, and so no larger.
class SafeRamp {
 public:
  /// @param limits    one per actuator: rate and acceleration
  /// @param tick      control tick δt [s], > 0
  /// @param duration  shortest time for the way, slower where the limits ask for it [s], >=
  /// 0
  SafeRamp(const RigLimits& limits, double tick, double duration);

  /// @param drive  in force now, at rest [m | rad]
  void start(const ActuatorVector& drive) noexcept;

  /// @returns drive of the next tick; after the last one zero, exactly [m | rad]
  ActuatorVector next() noexcept;

  bool started() const noexcept;
  bool finished() const noexcept;
  void cancel() noexcept { ticks_ = 0; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  double shortest_;             // [ticks]
  ActuatorVector mean_change_;  // most per tick, averaged over the ramp [m | rad]
  ActuatorVector mean_bend_;    // most of D/N² [m | rad]
  ActuatorVector from_;
  std::int64_t tick_ = 0;
  std::int64_t ticks_ = 0;
};

}  // namespace trestle::safety
