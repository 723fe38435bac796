#pragma once

#include "core/ports/compensator.h"

namespace trestle::compensators {

/// The target itself is the command.
class NoCompensator final : public Compensator {
 public:
  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& /*measured*/,
                         const ActuatorVector& /*last_command*/) noexcept override {
    return target.displacement;
  }
  void reset() noexcept override {}
  std::optional<LinearCompensatorModel> linearise(int /*actuator*/) const override {
    return LinearCompensatorModel{.targets = {1.0}};
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}
};

}  // namespace trestle::compensators
