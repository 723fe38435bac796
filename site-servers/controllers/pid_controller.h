#pragma once

#include "core/ports/actuator_controller.h"

namespace trestle::controllers {

struct PidSettings {
  double tick = 0.0;          ///< control tick δt [s], > 0
  double proportional = 0.0;  ///< Kp, >= 0
  double integral = 0.0;      ///< Ki, >= 0 [1/s]
  double derivative = 0.0;    ///< Kd, >= 0 [s]
  double filter = 0.0;        ///< corner of the derivative's low-pass [Hz]; 0: none
  double command_gain = 1.0;  ///< Kc, >= 0; 0: the error alone drives
};

/// An outer loop around the rig's own servo:
///
///   drive = Kc·command + Kp·e + Ki·∫e dt + Kd·de/dt,   e = command − measured.
///
/// The integral is Σ e·δt, this tick included; the derivative the difference to the tick
/// before, behind a first-order low-pass that is exact for a signal held over the tick. The
/// first tick has no derivative. If Kc is not 1, the integral starts with the value that
/// keeps a rig away from zero at its position. The integral has no separate bound: the gate
/// rejects a drive that runs away.
class PidController final : public ActuatorController {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  PidController(int actuators, const PidSettings& settings);

  ActuatorVector drive(const ActuatorVector& command,
                       const Measurement& sensed) noexcept override;
  void reset() noexcept override;
  std::optional<LinearControllerModel> linearise(int actuators) const override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  PidSettings settings_;
  double fresh_;  // share of the newest difference in the derivative
  ActuatorVector error_;
  ActuatorVector error_sum_;   // ∫e dt [m·s | rad·s]
  ActuatorVector derivative_;  // [m/s | rad/s]
  bool started_ = false;
};

}  // namespace trestle::controllers
