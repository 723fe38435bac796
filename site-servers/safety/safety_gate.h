#pragma once

#include <cstdint>
#include <vector>

#include "core/base/snapshot.h"
#include "core/types/actuator_vector.h"
#include "core/types/fault.h"
#include "core/types/limits.h"
#include "core/types/motion.h"

namespace trestle::safety {

/// The last element of the chain: nothing changes the drive after it.
///
/// The gate passes a drive unchanged, or the first violation latches a fault. From then on
/// every drive is the last accepted one: the rig holds. The gate accepts this stop whatever
/// its acceleration. Within one tick it checks the measurement before the drive, and
/// actuators in order.
///
/// With u the drives and δt the control tick: |u[n]| against the displacement limit,
/// |u[n] − u[n−1]|/δt against that of the rate, |u[n] − 2u[n−1] + u[n−2]|/δt² against that
/// of the acceleration. A measurement that lacks values, or has too many, is none.
///
/// Lives on the real-time thread; divides nothing, allocates nothing, asserts nothing.
class SafetyGate {
 public:
  /// @param limits  one per actuator
  /// @param tick    control tick δt [s], > 0
  /// @throws SettingError  if a limit is not above zero, NaN included, or there are more
  ///                       than kMaxActuators
  SafetyGate(const RigLimits& limits, double tick);

  /// Starts a new run, from rest at the position of the rig [m | rad]. Clears the fault; an
  /// invalid position latches kNotFinite immediately.
  void reset(const ActuatorVector& position) noexcept;

  /// The drive stayed where it was for a tick or more: the rate is zero.
  void rest() noexcept { drive_before_ = last_drive_; }

  /// Checks the initial position like a drive: no drive may start outside the limits.
  /// @returns false if a fault is latched
  bool is_within_limits() noexcept;

  /// Judges a measurement by itself: numbers and force. pass() does it too; called right
  /// after a read it trips a tick earlier.
  /// @returns false if a fault is latched
  bool watch(const Measurement& sensed) noexcept;

  /// Once per tick.
  /// @param drive   what shall reach the rig [m | rad]
  /// @param sensed  what the drive before has done; its displacement is held against that
  ///                drive for the tracking error
  /// @returns       `drive`, or where a fault is latched the last one that passed [m | rad]
  ActuatorVector pass(const ActuatorVector& drive, const Measurement& sensed) noexcept;

  /// The first violation since reset(). `value` and `limit` are magnitudes.
  const Fault& fault() const noexcept { return fault_; }

  /// The drive in force [m | rad].
  const ActuatorVector& last_drive() const noexcept { return last_drive_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  struct Axis {
    ActuatorLimits limits;
    std::int64_t dwell_ticks;  // tolerated in a row
    std::int64_t ticks_above;  // in a row, up to now
  };

  bool complete(const ActuatorVector& values) noexcept;
  bool within(FaultKind kind, Eigen::Index actuator, double value, double limit) noexcept;
  bool follows(Eigen::Index actuator, double measured) noexcept;
  bool allows(Eigen::Index actuator, double drive) noexcept;

  double ticks_per_second_;
  std::vector<Axis> axes_;
  ActuatorVector last_drive_;    // u[n−1]
  ActuatorVector drive_before_;  // u[n−2]
  Fault fault_;
};

}  // namespace trestle::safety
