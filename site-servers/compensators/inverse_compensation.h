#pragma once

#include <vector>

#include "core/ports/compensator.h"
#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

struct InverseSettings {
  /// How a follows from the delay τ and the tick δt.
  enum class Form {
    kLagPlusOne,   ///< a = 1 + τ/δt
    kLagMinusOne,  ///< a = τ/δt − 1
  };

  double tick = 0.0;        ///< control tick δt [s], > 0
  PerActuator delay = 0.0;  ///< τ, >= 0 [s]; of kLagMinusOne at least two ticks
  Form form = Form::kLagPlusOne;
};

/// Inverse compensation: the inverse of a first-order lag with the time constant τ.
///
///   u[k] = a·x[k] − (a − 1)·x[k−1]
///
/// Chen and Ricles (2009), Improving the inverse compensation method for real-time hybrid
/// simulation through a dual compensation scheme. a = 1 + τ/δt leads a ramp by τ; a = τ/δt
/// − 1 fits some published coefficients better. Before the first target of a run lies that
/// same target.
class InverseCompensation final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  InverseCompensation(int actuators, const InverseSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override { started_ = false; }
  std::optional<LinearCompensatorModel> linearise(int actuator) const override {
    return LinearCompensatorModel{.targets = {1.0 + lead_[actuator], -lead_[actuator]}};
  }
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  double coefficient(int actuator) const noexcept { return lead_[actuator] + 1.0; }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  ActuatorVector lead_;  // a − 1
  ActuatorVector last_;  // x[k−1]
  bool started_ = false;
};

}  // namespace trestle::compensators
