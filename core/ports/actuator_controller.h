#pragma once

#include <optional>

#include "core/base/snapshot.h"
#include "core/ports/linear_models.h"
#include "core/types/actuator_vector.h"
#include "core/types/motion.h"

namespace trestle {

/// Computes the drive signal, which the rig's servo loop follows, from the commanded
/// displacement.
///
/// Thread: the real-time thread calls drive() once per control tick, in order. drive() must
/// not allocate, lock, log or block.
class ActuatorController {
 public:
  virtual ~ActuatorController() = default;

  /// Returns the drive of this tick.
  /// @param command  commanded displacement, one entry per actuator [m | rad]
  /// @param sensed   measurement at the beginning of this tick; a force is +K·d
  /// @returns        drive, one entry per actuator [m | rad]
  virtual ActuatorVector drive(const ActuatorVector& command,
                               const Measurement& sensed) noexcept = 0;

  /// Returns to the initial state: the next tick is the first of a run.
  virtual void reset() noexcept = 0;

  /// Returns the linear form for small motions, which the stability analysis uses. Set-up
  /// only.
  /// @param actuators  number of actuators of the rig, > 0
  /// @returns empty if no linear form is known
  virtual std::optional<LinearControllerModel> linearise(int actuators) const = 0;

  /// Writes the whole state, so that a resumed test continues with the same bits. Not on
  /// the real-time thread.
  virtual void save(SnapshotWriter& snapshot) const = 0;
  /// Reads the state that save() wrote.
  /// @throws std::out_of_range if the snapshot is shorter than the state
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
