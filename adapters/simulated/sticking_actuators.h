#pragma once

#include <memory>

#include "adapters/simulated/actuator_model.h"

namespace trestle::simulated {

/// Actuators with Coulomb friction, as their servo loops show it.
///
/// A loop of stiffness k pulls with k (drive − x) against a friction of F: without mass the
/// actuator stays while |drive − x| ≤ F/k and trails by F/k when it moves (the play
/// operator of Prandtl; Krasnosel'skii and Pokrovskii, Systems with Hysteresis, 1989). What
/// is left of the drive then goes to the actuators as they are without friction. It has no
/// rate, so it is stable in any tick.
class StickingActuators final : public ActuatorModel {
 public:
  /// @param play  F/k of each actuator [m | rad], not negative
  StickingActuators(std::unique_ptr<ActuatorModel> smooth, ActuatorVector play);

  int actuators() const noexcept override { return smooth_->actuators(); }
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);

  std::unique_ptr<ActuatorModel> smooth_;
  ActuatorVector play_;
  ActuatorVector pulled_;  // what is left of the drive
};

}  // namespace trestle::simulated
