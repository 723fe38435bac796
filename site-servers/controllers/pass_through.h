#pragma once

#include "core/ports/actuator_controller.h"

namespace trestle::controllers {

/// The command itself is the drive: the rig's own servo loop does the rest.
class PassThrough final : public ActuatorController {
 public:
  ActuatorVector drive(const ActuatorVector& command,
                       const Measurement& /*sensed*/) noexcept override {
    return command;
  }
  void reset() noexcept override {}
  std::optional<LinearControllerModel> linearise(int actuators) const override {
    const Eigen::Index n = actuators;
    Eigen::MatrixXd direct = Eigen::MatrixXd::Zero(n, 2 * n);
    direct.leftCols(n).setIdentity();
    return LinearControllerModel{.A = Eigen::MatrixXd(0, 0),
                                 .B = Eigen::MatrixXd(0, 2 * n),
                                 .C = Eigen::MatrixXd(n, 0),
                                 .D = direct};
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}
};

}  // namespace trestle::controllers
