#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/base/snapshot.h"
#include "core/ports/linear_models.h"
#include "core/types/actuator_vector.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle {

/// Estimate of the transfer system by the present coefficients of a compensator.
struct TransferEstimate {
  double delay = 0.0;      ///< at low frequency [s]
  double amplitude = 1.0;  ///< measured amplitude over commanded amplitude
};

/// Returns the delay and amplitude that an inverse u[k] = Σ tᵢ·x[k−i] + b·ẋ[k] + Σ
/// mⱼ·u[k−j] compensates at low frequency: its lead, and one over its gain.
/// @param targets   t₀, t₁, ...
/// @param velocity  b [s]
/// @param commands  m₁, m₂, ...
/// @param tick      control tick [s]
/// @returns infinite or not a number if the gain is zero
inline TransferEstimate estimate_from_inverse(std::span<const double> targets,
                                              double velocity,
                                              std::span<const double> commands,
                                              double tick) noexcept {
  double gain = 0.0, late = -velocity, rest = 1.0, fed_back = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    gain += targets[i];
    late += static_cast<double>(i) * tick * targets[i];
  }
  for (std::size_t j = 0; j < commands.size(); ++j) {
    rest -= commands[j];
    fed_back += static_cast<double>(j + 1) * tick * commands[j];
  }
  return {-(late / gain + fed_back / rest), rest / gain};
}

/// Computes the command that makes the transfer system reach the target on time, in spite
/// of its delay and amplitude error.
///
/// Thread: the real-time thread calls command() and estimate() once per control tick, in
/// order. They must not allocate, lock, log or block.
class Compensator {
 public:
  virtual ~Compensator() = default;

  /// Returns the command of this tick.
  /// @param target        displacement, velocity and acceleration that each actuator shall
  /// have at
  ///                      this tick
  /// @param measured      latest measured displacements, one entry per actuator [m | rad]
  /// @param last_command  command in force since the last tick, feed-forward included; an
  /// adaptive
  ///                      compensator relates `measured` to it [m | rad]
  /// @returns             commanded displacement, one entry per actuator [m | rad]
  virtual ActuatorVector command(const ActuatorMotion& target,
                                 const ActuatorVector& measured,
                                 const ActuatorVector& last_command) noexcept = 0;

  /// Returns to the initial state: the next tick is the first of a run.
  virtual void reset() noexcept = 0;

  /// Returns the linear form with the present coefficients; before a run and after reset(),
  /// with the initial ones. The stability analysis uses it. Not during a tick.
  /// @returns empty if no linear form is known
  virtual std::optional<LinearCompensatorModel> linearise(int actuator) const = 0;

  /// Returns the present estimate of one actuator's transfer system.
  /// @returns empty if the method estimates none
  virtual std::optional<TransferEstimate> estimate(int /*actuator*/) const noexcept {
    return std::nullopt;
  }

  /// Returns name and unit of each coefficient that adapts, for the record: "a1_s". The
  /// same for all actuators. Set-up only. @returns empty if none adapts
  virtual Channels coefficient_channels() const { return {}; }

  /// Copies the present coefficients of one actuator to `into`, one value for each of
  /// coefficient_channels().
  virtual void copy_coefficients(int /*actuator*/,
                                 std::span<double> /*into*/) const noexcept {}

  /// Writes the whole state, so that a resumed test continues with the same bits. Not on
  /// the real-time thread.
  virtual void save(SnapshotWriter& snapshot) const = 0;
  /// Reads the state that save() wrote.
  /// @throws std::out_of_range if the snapshot is shorter than the state
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
