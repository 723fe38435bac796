#pragma once

#include <cstdint>
#include <vector>

#include "core/base/snapshot.h"
#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "core/types/motion.h"
#include "site-servers/safety/safe_action.h"
#include "site-servers/safety/safe_ramp.h"

namespace trestle::safety {

/// The safe action as a motion of the drives, tick by tick, from rest.
///
/// Hold: there at once. Ramp home: a SafeRamp, ending at zero exactly. Unload: every
/// actuator whose force is outside its band moves against the sign of that force until it
/// is inside, and halves its rate whenever the force has changed its sign; it is given up
/// for a hold of all where a way grows longer than its travel, or where a force has grown
/// for three ticks in a row of a motion against it, and is a whole band above the smallest
/// it has had (what noise alone does not do). A measurement that is none ends every motion
/// in a hold.
///
/// Rates stay at or below the action's own and three quarters of the limits', accelerations
/// at three quarters of the limits'; the displacement limit is its caller's to check.
///
/// Lives on the real-time thread; allocates nothing, asserts nothing.
class SafeMotion {
 public:
  /// @param limits  one per actuator
  /// @param tick    control tick δt [s], > 0
  /// @throws SettingError  if the action does not fit, under `safe_action`
  SafeMotion(const SafeAction& action, const RigLimits& limits, double tick);

  bool moves() const noexcept;

  /// @param drive   in force, at rest [m | rad]
  /// @param sensed  read last
  void start(const ActuatorVector& drive, const Measurement& sensed) noexcept;

  /// Once per tick. @returns the drive of this tick; once finished, always the last one
  ActuatorVector next(const Measurement& sensed) noexcept;

  /// The end, for good, at this drive.
  void hold(const ActuatorVector& drive) noexcept;
  /// Back to before start().
  void cancel() noexcept { state_ = State::kIdle; }

  bool started() const noexcept;
  bool finished() const noexcept;
  /// It ended in a hold, not where the action leads.
  bool held() const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  enum class State { kIdle, kMoving, kArrived, kHeld };

  struct Axis {
    double rate = 0.0;    // [m/s | rad/s]
    double bend = 0.0;    // most change of the rate per tick [m/s | rad/s]
    double band = 0.0;    // [N | N·m]
    double travel = 0.0;  // [m | rad]
    // While it unloads.
    double speed = 0.0;        // wanted; halved at each reversal
    double velocity = 0.0;     // now
    double way = 0.0;          // so far, there and back
    double last_force = 0.0;   // magnitude
    double least_force = 0.0;  // magnitude
    double sign = 0.0;         // of the force that was outside its band last
    std::int64_t growing = 0;  // ticks in a row
  };

  bool sound(const Measurement& sensed) const noexcept;
  void unload(const Measurement& sensed) noexcept;
  static bool is_force_growing(Axis& axis, double force) noexcept;
  double advance(Axis& axis, double force) const noexcept;

  SafeAction::Kind kind_;
  double tick_;
  SafeRamp ramp_;
  std::vector<Axis> axes_;
  State state_ = State::kIdle;
  ActuatorVector drive_;
};

}  // namespace trestle::safety
