#pragma once

#include <optional>

#include "core/ports/actuator_controller.h"
#include "site-servers/controllers/integral_servo.h"

namespace trestle::controllers {

struct PublishedSlidingModeSettings {
  ServoSettings servo = {};             ///< plant without delay; its weights are not used
  double rate_weight = 1e-4;            ///< q > 0 [s], if no surface_weight is given
  Eigen::MatrixXd surface_weight = {};  ///< Q of (e, Ẋ) in the model's own states, or empty
  double tolerance = 300.0;             ///< δ > 0 [1/s], of S in the units of the drives
};

/// Sliding mode control as the study on the multi-axial benchmark publishes it: surface and
/// control law of sliding_surface.h, u = ẏ_c, with a Kalman observer of the plant.
///
/// The law is linear in Y = (e, Ẋ): u = −Fₑ e − F_X Ẋ. Its integral is y_c = −F_X X̂ − Fₑ
/// ∫e, the integral and state feedback of a type-1 servo, and it is computed in this form,
/// so that no sum of rates can drift. The integral of e takes in this tick's error.
///
/// What the study leaves open, and what was chosen here:
/// - *Ẋ is taken with the innovation*, Ẋ = A X̂ + B y_c + Kₑ (y_m − C X̂), the derivative of
///   the estimate, whose integral is X̂. Without the innovation a plant that is not the
///   model would rest where Fₑ e = F_X Kₑ (y_m − C X̂), away from the command.
/// - *Q is not published.* A weight on e alone is no choice: T22 is then 0. Default: ∫ |e|²
/// +
///   q Ẋᵀ W⁻¹ Ẋ dt, W the Gramian of (A, B): the second term is q times the least ∫ |ẏ_c|²
///   dt that brings the plant to Ẋ, so it does not depend on the states that the model is
///   written in. Any other Q: `surface_weight`.
/// - *δ depends on the states' units*, by B2. Here the states are those of
///   drive_coordinates(): B2 = I, S is a motion, and S decays with δ alone.
/// - *Sampling.* Designed in continuous time, as published. The approach to the surface is
///   stable only for δ λmax(B2 B2ᵀ)·tick < 2, and the poles of the sampled loop are
///   checked.
/// - The paper drops E ẏ_ac: V decreases while the target rests. A moving target adds
///   Sᵀ P E ẏ_ac, so S follows the target's rate with the time constant 1/δ.
class PublishedSlidingMode final : public ActuatorController {
 public:
  /// @throws SettingError by the field's name
  PublishedSlidingMode(int actuators, const PublishedSlidingModeSettings& settings);

  ActuatorVector drive(const ActuatorVector& command,
                       const Measurement& sensed) noexcept override;
  void reset() noexcept override;
  std::optional<LinearControllerModel> linearise(int actuators) const override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  IntegralServo servo_;
};

/// Integral and state feedback that the law amounts to, for the balanced model: state =
/// F_X, integral = −Fₑ.
/// @throws SettingError by the field's name
ServoGains published_sliding_gains(const PublishedSlidingModeSettings& settings);

}  // namespace trestle::controllers
