#pragma once

#include <Eigen/Core>
#include <string>

#include "core/types/actuator_vector.h"
#include "core/types/interface_layout.h"
#include "core/types/interface_vector.h"
#include "core/types/motion.h"

namespace trestle {

/// Transforms between a site's controlled interface DOFs d and the strokes a of its
/// actuators.
///
/// Stateless: each result depends on the arguments and the set-up only, so any thread may
/// call it. Vectors have one entry per controlled DOF or one per actuator; a loading frame
/// does not handle force-only DOFs. Forces transform by the transpose of the Jacobian J =
/// ∂a/∂d at the given strokes, f_interface = Jᵀ·f_actuators, which preserves work. Strokes
/// that no motion of the interface can reach give not-a-number. Nothing on the step path
/// allocates.
class LoadingFrame {
 public:
  virtual ~LoadingFrame() = default;

  virtual int actuators() const noexcept = 0;       ///< number of actuators
  virtual int interface_dofs() const noexcept = 0;  ///< number of controlled DOFs

  /// Returns true if a = T·d with a constant T, which tangent() returns. Feed-forward needs
  /// it.
  virtual bool linear() const noexcept = 0;
  /// Returns J at d = 0, actuators × controlled DOFs. Set-up only.
  virtual Eigen::MatrixXd tangent() const = 0;
  /// Returns why this frame cannot move these controlled DOFs; empty if it can. Set-up
  /// only.
  virtual std::string refusal_of(const InterfaceLayout& controlled) const = 0;

  /// Returns the strokes [m | rad] of an interface displacement [m | rad].
  virtual ActuatorVector to_actuators(
      const InterfaceVector& displacement) const noexcept = 0;
  /// Returns the strokes of an interface motion, with exact first and second derivatives in
  /// time.
  virtual ActuatorMotion to_actuators(const InterfaceMotion& motion) const noexcept = 0;

  /// Returns the interface displacement [m | rad] of the given strokes [m | rad].
  virtual InterfaceVector to_interface(
      const ActuatorVector& displacement) const noexcept = 0;
  /// Returns the interface motion of the strokes, with exact first and second derivatives
  /// in time.
  virtual InterfaceMotion to_interface(const ActuatorMotion& stroke) const noexcept = 0;

  /// Returns the interface force Jᵀ·f [N | N·m].
  /// @param force    of the actuators, +K·d: needed to hold the specimen [N | N·m]
  /// @param strokes  present strokes of the actuators [m | rad]
  virtual InterfaceVector force_to_interface(
      const ActuatorVector& force, const ActuatorVector& strokes) const noexcept = 0;
  /// Returns the actuator forces that produce an interface force; with more actuators than
  /// DOFs, those with the smallest norm [N | N·m].
  /// @param force    at the interface, +K·d [N | N·m]
  /// @param strokes  present strokes of the actuators [m | rad]
  virtual ActuatorVector force_to_actuators(
      const InterfaceVector& force, const ActuatorVector& strokes) const noexcept = 0;
};

}  // namespace trestle
