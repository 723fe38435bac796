#pragma once

#include "core/ports/actuator_controller.h"
#include "site-servers/controllers/integral_servo.h"

namespace trestle::controllers {

/// LQG with integral action around the whole transfer system, coupled as it is:
///
///   ξ[k] = ξ[k−1] + δt (command − measured),   drive = −K x̂[k] + Kᵢ ξ[k],
///
/// x̂ the Kalman estimate with this tick's reading, K and Kᵢ by the discrete Riccati
/// equation: the model-based framework of Fermandois and Spencer (Earthquake Eng. Eng. Vib.
/// 16, 2017) as the multi-axial benchmark uses it (Condori Uribe et al., Front. Built
/// Environ. 9, 2023).
///
/// What the papers leave open, and what was chosen here. They design in continuous time;
/// here everything is designed at the control tick, since an observer that is fast against
/// it goes unstable otherwise. Their weights are not given: all are settings. They do not
/// say whose error is integrated: `integrand`. They do not treat saturation: `drive_limit`.
///
/// The loop "command in, measured out" has unit gain at rest and is a low-pass, not a pure
/// delay: its low-frequency delay is the servo's, a few of its time constants, and a
/// compensator around it takes it out. It does not see the target ahead.
class LqgController final : public ActuatorController {
 public:
  /// @throws SettingError by the field's name
  LqgController(int actuators, const ServoSettings& settings)
      : servo_(actuators, settings) {}

  ActuatorVector drive(const ActuatorVector& command,
                       const Measurement& sensed) noexcept override {
    servo_.observe(command, sensed.displacement);
    return servo_.apply(servo_.demand());
  }
  void reset() noexcept override { servo_.reset(); }
  std::optional<LinearControllerModel> linearise(int /*actuators*/) const override {
    return servo_.linearise(0.0);
  }
  void save(SnapshotWriter& snapshot) const override { servo_.save(snapshot); }
  void restore(SnapshotReader& snapshot) override { servo_.restore(snapshot); }

 private:
  IntegralServo servo_;
};

}  // namespace trestle::controllers
