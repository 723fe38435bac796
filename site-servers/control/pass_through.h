#pragma once

#include "core/ports/actuator_controller.h"

namespace trestle {

/// The command itself is the drive: the rig's own servo loop does the rest.
class PassThrough final : public ActuatorController {
 public:
  ActuatorVector drive(const ActuatorVector& command,
                       const Sensed& /*sensed*/) noexcept override {
    return command;
  }
  void reset() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}
};

}  // namespace trestle
