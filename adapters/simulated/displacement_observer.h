#pragma once

#include <optional>
#include <string>

#include "core/math/kalman_observer.h"
#include "core/types/actuator_vector.h"

namespace trestle::simulated {

/// The Kalman estimate of where the actuators are, from their drives and from what noisy
/// transducers read: for rigs whose force is computed from a displacement.
///
/// Once per tick estimate(), and before every one but the first of a run advance().
/// Allocates in prepare() alone.
class DisplacementObserver final {
 public:
  /// @param path  of the settings, for the error
  DisplacementObserver(math::ObservedPlantSettings settings, std::string path);

  /// Before a run: back to rest.
  /// @throws SettingError as discretise_plant() and kalman_gain()
  void prepare(double tick);

  /// One tick on.
  /// @param drive  held since the last estimate [m | rad]
  void advance(const ActuatorVector& drive) noexcept;

  /// @param read  the displacement transducers at this tick, noise included [m | rad]
  /// @returns     displacement without most of the noise [m | rad]
  ActuatorVector estimate(const ActuatorVector& read) noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  math::ObservedPlantSettings settings_;
  std::string path_;
  std::optional<math::KalmanObserver> observer_;  // for the run's tick
};

}  // namespace trestle::simulated
