#pragma once

#include <optional>

#include "core/ports/linear_form.h"
#include "core/types/actuator_vector.h"
#include "core/types/motion.h"
#include "core/types/snapshot.h"

namespace trestle {

/// Turns the target displacement into the command that brings the transfer system
/// there on time, in spite of its delay and amplitude error.
///
/// Lives on the real-time thread: called once per control tick, in order, by one caller.
class Compensator {
 public:
  virtual ~Compensator() = default;

  /// @param target        where each actuator shall be at this tick
  /// @param measured      latest displacements: what all commands so far have done [m |
  /// rad]
  /// @param last_command  the whole command in force since the last tick, feed-forward
  /// included:
  ///                      what a compensator that learns pairs with `measured` [m | rad]
  /// @returns             commanded displacement [m | rad]
  virtual ActuatorVector command(const Stroke& target, const ActuatorVector& measured,
                                 const ActuatorVector& last_command) noexcept = 0;

  /// Forgets the past: the next tick is the first of a run.
  virtual void reset() noexcept = 0;

  /// What it is with the coefficients of now: before a run, and after reset(), those that
  /// it starts with. For the stability of the loop; off the real-time thread, or between
  /// its ticks.
  /// @returns nothing where no linear form is known
  virtual std::optional<LinearCommand> linear_form(int actuator) const = 0;

  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
