#pragma once

#include <Eigen/Core>
#include <string>

#include "core/ports/loading_frame.h"

namespace trestle::kinematics {

/// The constant, linear geometry between interface DOFs d and actuator strokes a:
///
///   a = T·d,   d = T⁺·a,   f_interface = Tᵀ·f_actuators,
///
/// T one row per actuator. T⁺ is the inverse, or with more actuators than DOFs the
/// pseudo-inverse. The identity copies bits.
class MatrixFrame final : public LoadingFrame {
 public:
  /// One actuator per interface DOF.
  static MatrixFrame identity(int interface_dofs);

  /// @param actuator_from_interface  T, actuators × interface DOFs
  /// @throws SettingError  if T is too large, not finite, or cannot be inverted
  explicit MatrixFrame(const Eigen::MatrixXd& actuator_from_interface);

  int actuators() const noexcept override { return static_cast<int>(matrix_.rows()); }
  int interface_dofs() const noexcept override { return static_cast<int>(matrix_.cols()); }
  bool linear() const noexcept override { return true; }
  Eigen::MatrixXd tangent() const override { return matrix_; }
  std::string refusal_of(const InterfaceLayout& /*controlled*/) const override {
    return {};
  }

  ActuatorVector to_actuators(const InterfaceVector& displacement) const noexcept override;
  ActuatorMotion to_actuators(const InterfaceMotion& motion) const noexcept override;
  InterfaceVector to_interface(const ActuatorVector& displacement) const noexcept override;
  InterfaceMotion to_interface(const ActuatorMotion& stroke) const noexcept override;
  InterfaceVector force_to_interface(const ActuatorVector& force,
                                     const ActuatorVector& strokes) const noexcept override;
  ActuatorVector force_to_actuators(const InterfaceVector& force,
                                    const ActuatorVector& strokes) const noexcept override;

 private:
  Eigen::MatrixXd matrix_;
  Eigen::MatrixXd inverse_;
  bool identity_ = false;
};

}  // namespace trestle::kinematics
