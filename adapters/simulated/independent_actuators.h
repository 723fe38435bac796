#pragma once

#include <memory>
#include <vector>

#include "adapters/simulated/actuator_model.h"

namespace trestle::simulated {

/// Actuators side by side that know nothing of one another.
class IndependentActuators final : public ActuatorModel {
 public:
  /// @param models  one each, of one actuator
  explicit IndependentActuators(std::vector<std::unique_ptr<ActuatorModel>> models);

  int actuators() const noexcept override;
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  std::vector<std::unique_ptr<ActuatorModel>> models_;
};

}  // namespace trestle::simulated
