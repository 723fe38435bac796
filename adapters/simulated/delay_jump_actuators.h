#pragma once

#include <memory>
#include <vector>

#include "adapters/simulated/actuator_model.h"

namespace trestle::simulated {

/// When drives begin to come later, and by how much.
struct DelayJump {
  double at = 0.0;  ///< [s] since the run began
  double by = 0.0;  ///< [s], rounded to whole ticks, at least one
};

/// Actuators whose drives come later from some time on: a path that grew longer in mid-run.
/// Drives that are under way then arrive late too, so the last one that came stays
/// meanwhile: the actuators see each drive once and in order.
class DelayJumpActuators final : public ActuatorModel {
 public:
  DelayJumpActuators(std::unique_ptr<ActuatorModel> prompt, DelayJump jump);

  int actuators() const noexcept override { return prompt_->actuators(); }
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);

  std::unique_ptr<ActuatorModel> prompt_;
  DelayJump jump_;
  double jump_tick_ = 0.0;               // drives from this one on come late
  double tick_ = 0.0;                    // of the next drive
  std::vector<ActuatorVector> waiting_;  // a ring
  std::size_t oldest_ = 0;
  ActuatorVector came_last_;
};

}  // namespace trestle::simulated
