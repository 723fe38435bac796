#pragma once

#include <optional>

#include "core/base/snapshot.h"
#include "core/ports/linear_form.h"
#include "core/types/actuator_vector.h"
#include "core/types/motion.h"

namespace trestle {

/// Turns the commanded displacement into the drive: what the rig's own servo loop is told.
///
/// Lives on the real-time thread: called once per control tick, in order, by one caller.
class ActuatorController {
 public:
  virtual ~ActuatorController() = default;

  /// @param command  commanded displacement [m | rad]
  /// @param sensed   what the rig measured at the beginning of this tick
  /// @returns        drive [m | rad]
  virtual ActuatorVector drive(const ActuatorVector& command,
                               const Sensed& sensed) noexcept = 0;

  /// Forgets the past: the next tick is the first of a run.
  virtual void reset() noexcept = 0;

  /// What it is for small motions. For the stability of the loop; set-up only.
  /// @param actuators  of the rig
  /// @returns nothing where no linear form is known
  virtual std::optional<LinearControl> linear_form(int actuators) const = 0;

  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
