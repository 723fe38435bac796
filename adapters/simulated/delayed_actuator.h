#pragma once

#include <memory>

#include "adapters/simulated/actuator_model.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/pure_delay.h"

namespace trestle::simulated {

/// One actuator as it was identified: a pure delay in front of a linear servo loop. The
/// late drives (PureDelay, straight lines between the ticks) are held from tick to tick as
/// the drives of LinearActuators are; rates are the servo loop's own.
class DelayedActuator final : public ActuatorModel {
 public:
  /// @param system  one input, one output
  DelayedActuator(double delay, math::StateSpace system,
                  math::Discretisation method = math::Discretisation::kZeroOrderHold);

  int actuators() const noexcept override { return 1; }
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  PureDelay delay_;
  LinearActuators servo_;
  ActuatorMotion late_ = ActuatorMotion::zero(1);  // input of the servo loop
};

}  // namespace trestle::simulated
