#pragma once

#include <vector>

#include "core/base/snapshot.h"
#include "core/types/actuator_vector.h"
#include "core/types/fault.h"
#include "core/types/limits.h"

namespace trestle::safety {

/// Detects a diverging loop before its response grows, by the energy that wrong motion
/// feeds into the specimen.
///
/// Per actuator E = ∮ (measured − target) df, and W = ∮ |f dx|, what the specimen takes up
/// and gives back, both forgotten with a time constant of 2 s. The error is −E over W and
/// the largest stored energy max ½|f·x| together. A spring k that is late by the phase φ in
/// a tone of amplitude X has −E = π·k·X²·sin φ and W = 2·k·X² per cycle: (π/2)·sin φ at
/// frequencies above one Hertz or so, and less below. That is π times the damping ratio
/// ½·sin φ that the lateness takes from a structure which is this spring, whatever the
/// frequency. A motion that leads gives nothing. With noise alone it is a random walk of
/// about √(δt / 2 s), and peaks at some five times that. After Mosqueda, Stojadinović and
/// Mahin (2007), "Real-time error monitoring for hybrid simulation".
///
/// Lives on the real-time thread.
class EnergyErrorMonitor {
 public:
  /// @param limits  one per actuator; those without `energy_error` are not watched
  /// @param tick    control tick δt [s], > 0
  /// @throws SettingError  if a limit is not above zero, NaN included
  EnergyErrorMonitor(const RigLimits& limits, double tick);

  void reset() noexcept;

  /// Once per tick. @param target  where the actuators shall be [m | rad]
  /// @returns kEnergyError if a limit is passed
  Fault add(const ActuatorVector& target, const ActuatorVector& measured,
            const ActuatorVector& force) noexcept;

  /// Returns the present error of one actuator; >= 0.
  double error(Eigen::Index actuator) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Axis {
    double limit = ActuatorLimits::kNone;
    double fed = 0.0;     // E [J]
    double turned = 0.0;  // W [J]
    double stored = 0.0;  // largest [J]
    double last_error = 0.0;
    double last_measured = 0.0;
    double last_force = 0.0;
  };

  double forgetting_;
  bool started_ = false;
  bool watched_ = false;  // any
  std::vector<Axis> axes_;
};

}  // namespace trestle::safety
