#pragma once

#include <cstdint>
#include <limits>

#include "core/base/snapshot.h"

namespace trestle::evaluation {

/// How well one actuator followed its target. If the target never moved, no estimate
/// exists: no delay, amplitude 1, no errors.
struct Tracking {
  double delay = 0.0;       ///< positive: late [s]
  double amplitude = 1.0;   ///< measured over target
  double nrmse = 0.0;       ///< rms(target − measured) / rms(target)
  double peak_error = 0.0;  ///< max |target − measured| / max |target|
  double energy_error =
      0.0;  ///< ∮ (measured − target) df [J]; below zero: late, feeds energy
  /// Standard error of the amplitude. Infinite until a quarter of the target's mean period
  /// has passed: before that, delay and amplitude cannot be estimated.
  double uncertainty = std::numeric_limits<double>::infinity();
};

/// Tracks one actuator, sample by sample, in constant memory, apart from any compensator's
/// own estimate.
///
/// Delay and amplitude: least squares m ≈ c₀·x + c₁·ẋ of the measured m on the target x and
/// its central difference ẋ. With the target's mean frequency ω, ω² = Σẋ²/Σx², the tone
/// that answers so is late by atan2(−c₁·ω, c₀)/ω with amplitude √(c₀² + c₁²ω²): exact for
/// one tone (central differences' own error taken out), and c₀, −c₁/c₀ where the delay is
/// short. NRMSE is J₂ of the benchmark problem for real-time hybrid simulation: Silva,
/// Gomez, Maghareh, Dyke and Spencer (2020), doi:10.1016/j.ymssp.2019.106381. A spring k
/// that is late by the phase φ in a tone of amplitude X shows an energy error of
/// −π·k·X²·sin φ per cycle.
class TrackingEstimator {
 public:
  /// @param period      between samples [s], > 0
  /// @param forgetting  what is left of a sample at the next one, in (0, 1]; below 1 the
  ///                    sums slide along, and peaks and energy stay those of the whole run
  explicit TrackingEstimator(double period, double forgetting = 1.0) noexcept;

  /// The next sample. `measured` and `force` are what the target of this sample has done.
  void add(double target, double measured, double force) noexcept;

  Tracking result() const noexcept;
  std::int64_t samples() const noexcept { return samples_; }

  void reset() noexcept;
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  /// Sums over pairs of the middle sample, whose velocity is known.
  struct Sums {
    double target_target = 0.0;
    double target_velocity = 0.0;
    double velocity_velocity = 0.0;
    double target_measured = 0.0;
    double velocity_measured = 0.0;
  };

  void forget() noexcept;
  double uncertainty(double c0, double c1, double determinant,
                     double frequency) const noexcept;

  double period_;
  double forgetting_;
  std::int64_t samples_ = 0;
  double older_target_ = 0.0;  // two samples ago
  double last_target_ = 0.0;
  double last_measured_ = 0.0;
  double last_force_ = 0.0;
  Sums sums_;
  double target_squares_ = 0.0;
  double error_squares_ = 0.0;
  double target_peak_ = 0.0;
  double error_peak_ = 0.0;
  double energy_error_ = 0.0;
};

}  // namespace trestle::evaluation
