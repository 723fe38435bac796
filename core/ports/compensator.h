#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/base/snapshot.h"
#include "core/ports/linear_form.h"
#include "core/types/actuator_vector.h"
#include "core/types/motion.h"

namespace trestle {

/// What a compensator makes of the transfer system by its present coefficients.
struct ActuatorEstimate {
  double delay = 0.0;      ///< of slow motion [s]
  double amplitude = 1.0;  ///< measured over commanded
};

/// Of an inverse u[k] = Σ tᵢ·x[k−i] + b·ẋ[k] + Σ mⱼ·u[k−j] for slow motion: what it leads
/// by is the delay that it makes up for, and its gain one over the amplitude.
/// @param tick  [s]; infinite or not a number where the gain is zero
inline ActuatorEstimate estimate_of_inverse(std::span<const double> targets,
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

  /// Online, by what it has learnt so far. Cheap, for the real-time thread.
  /// @returns nothing where it has no opinion
  virtual std::optional<ActuatorEstimate> estimate(int /*actuator*/) const noexcept {
    return std::nullopt;
  }

  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
