#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/ports/compensator.h"

namespace trestle {

struct AtsSettings {
  double tick = 0.0;              ///< control tick δt [s], > 0
  double expected_delay = 0.0;    ///< first guess of the transfer system's delay [s], > 0
  double memory = 1.0;            ///< time constant of forgetting [s], >= 10 ticks
  double excitation_floor = 0.0;  ///< adapt only above this measured rms [m | rad]
};

/// Adaptive time series compensator.
///
///   u = a₀·x + a₁·ẋ + a₂·ẍ,   x the target, u the command,
///
/// with a₀, a₁, a₂ found by least squares from what was commanded and what was then
/// measured. A pure delay τ and gain A give a₀ = 1/A, a₁ = τ/A, a₂ = τ²/(2A).
/// After Chae, Kazemibidokhti and Ricles (2013), doi:10.1002/eqe.2294; unlike there,
/// the past fades exponentially instead of leaving a moving window.
class AtsCompensator final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  AtsCompensator(int actuators, const AtsSettings& settings);

  ActuatorVector command(const Stroke& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// Delay a₁/a₀ that one actuator shows at present [s].
  double delay(int actuator) const noexcept;
  /// Amplitude 1/a₀ that one actuator shows at present, measured over commanded.
  double amplitude(int actuator) const noexcept;

 private:
  /// One actuator. All regressors are scaled by powers of the expected delay, so that the
  /// three coefficients are dimensionless and of order one.
  struct Channel {
    Eigen::Vector3d coefficients;
    Eigen::Matrix3d information;  // Σ r·rᵀ, fading
    Eigen::Vector3d moment;       // Σ r·u, fading
    Eigen::Vector3d measured;     // ticks n-3, n-2, n-1
    Eigen::Vector3d commanded;    // the commands of the same ticks
  };

  void learn(Channel& channel) const noexcept;

  double tick_;
  double expected_delay_;
  double forgetting_;
  double information_floor_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle
