#pragma once

#include <memory>
#include <vector>

#include "adapters/simulated/actuator_model.h"

namespace trestle::simulated {

/// Actuators that get every drive a whole number of ticks later: what wires and converters
/// take. Zero drives before the first.
class TransportDelayActuators final : public ActuatorModel {
 public:
  static constexpr int kMostTicks = 64;

  /// @param ticks  1 ... kMostTicks
  TransportDelayActuators(std::unique_ptr<ActuatorModel> prompt, int ticks);

  int actuators() const noexcept override { return prompt_->actuators(); }
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  std::unique_ptr<ActuatorModel> prompt_;
  std::vector<ActuatorVector> waiting_;  // a ring
  std::size_t oldest_ = 0;
};

}  // namespace trestle::simulated
