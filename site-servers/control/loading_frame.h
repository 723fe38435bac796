#pragma once

#include <Eigen/Core>

#include "core/types/actuator_vector.h"
#include "core/types/interface_vector.h"
#include "core/types/motion.h"

namespace trestle {

/// The constant, linear geometry between interface DOFs d and actuator strokes a:
///
///   a = T·d,   d = T⁺·a,   f_interface = Tᵀ·f_actuators,
///
/// T one row per actuator. T⁺ is the inverse, or with more actuators than DOFs the
/// pseudo-inverse. Forces go by the transpose, so that both ends see the same work.
/// The identity copies bits.
class LoadingFrame {
 public:
  /// One actuator per interface DOF.
  static LoadingFrame identity(int interface_dofs);

  /// @param actuator_from_interface  T, actuators × interface DOFs
  /// @throws SettingError  where T is too large, not finite, or cannot be inverted
  explicit LoadingFrame(const Eigen::MatrixXd& actuator_from_interface);

  int actuators() const noexcept { return static_cast<int>(matrix_.rows()); }
  int interface_dofs() const noexcept { return static_cast<int>(matrix_.cols()); }
  const Eigen::MatrixXd& matrix() const noexcept { return matrix_; }  ///< T

  Stroke to_actuators(const Target& target) const noexcept;
  ActuatorVector to_actuators(const InterfaceVector& displacement) const noexcept;
  InterfaceVector to_interface(const ActuatorVector& displacement) const noexcept;
  InterfaceVector force_to_interface(const ActuatorVector& force) const noexcept;
  /// The actuators' forces that add up to a force at the interface, the smallest of them
  /// where there are more actuators than DOFs.
  ActuatorVector force_to_actuators(const InterfaceVector& force) const noexcept;

 private:
  Eigen::MatrixXd matrix_;
  Eigen::MatrixXd inverse_;
  bool identity_ = false;
};

}  // namespace trestle
