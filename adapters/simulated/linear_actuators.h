#pragma once

#include <optional>

#include "adapters/simulated/actuator_model.h"
#include "core/math/sampled_system.h"

namespace trestle::simulated {

/// One actuator or several coupled ones with a linear servo loop, y = H(s)·drive, the drive
/// held between the ticks: exact there, or by one Runge–Kutta step per tick.
///
/// Velocity and acceleration are the model's own, y' = C (A x + B u), y'' = C A (A x + B
/// u), at the end of the tick; for actuators with direct feedthrough (D), whose
/// displacement jumps with the drive, backward differences as in PureDelay.
class LinearActuators final : public ActuatorModel {
 public:
  /// @param system  as many outputs as inputs; sizes that fit
  explicit LinearActuators(
      math::StateSpace system,
      math::Discretisation method = math::Discretisation::kZeroOrderHold);

  int actuators() const noexcept override;
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  /// The system in ticks, once prepared; null where a drive jumps through to its output.
  const math::SampledSystem* without_feedthrough() const noexcept;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  math::StateSpace system_;
  math::Discretisation method_;
  std::optional<math::SampledSystem> held_;  // for the run's tick
  double tick_ = 0.0;
  ActuatorVector displacement_;  // at the tick before
  ActuatorVector velocity_;
};

/// gain · ω/(s + ω), ω = 2π·frequency, which is where it is down by 3 dB.
math::StateSpace first_order_lag(double frequency, double gain);

/// gain · ω²/(s² + 2·damping·ω s + ω²), ω = 2π·frequency.
math::StateSpace second_order_lag(double frequency, double damping, double gain);

}  // namespace trestle::simulated
