#pragma once

#include <vector>

#include "core/types/actuator_vector.h"
#include "core/types/fault.h"
#include "core/types/limits.h"
#include "core/types/snapshot.h"

namespace trestle {

/// Sees a loop begin to diverge before its response does: what wrong motion feeds into the
/// specimen.
///
/// Per actuator E = ∮ (measured − target) df, forgotten with a time constant of 2 s: a
/// spring k that is late by the phase φ in a tone of amplitude X has −π·k·X²·sin φ per
/// cycle, which the structure must dissipate or grow. The error is −E over the largest
/// stored energy, max ½|f·x|, plus the sum of the increments' magnitudes, forgotten alike:
/// between 0 and 1, near 0 for noise and for tracking that is good, and towards 1 where all
/// goes one way.
///
/// Lives on the real-time thread.
class EnergyWatch {
 public:
  /// @param limits  one per actuator; those without `energy_error` are not watched
  /// @param tick    control tick δt [s], > 0
  EnergyWatch(const RigLimits& limits, double tick);

  void reset() noexcept;

  /// Once per tick. @param target  where the actuators shall be [m | rad]
  /// @returns kEnergyError where a limit is passed
  Fault add(const ActuatorVector& target, const ActuatorVector& measured,
            const ActuatorVector& force) noexcept;

  /// Of one actuator, now: 0 ... 1.
  double error(Eigen::Index actuator) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  struct Axis {
    double limit = ActuatorLimits::kNone;
    double fed = 0.0;     // E [J]
    double turned = 0.0;  // sum of magnitudes [J]
    double stored = 0.0;  // largest [J]
    double last_error = 0.0;
    double last_force = 0.0;
  };

  double forgetting_;
  bool started_ = false;
  bool watched_ = false;  // any
  std::vector<Axis> axes_;
};

}  // namespace trestle
