#pragma once

#include <Eigen/Core>
#include <string>

#include "core/types/actuator_vector.h"
#include "core/types/interface_layout.h"
#include "core/types/interface_vector.h"
#include "core/types/motion.h"

namespace trestle {

/// The geometry between a site's controlled interface DOFs d and the strokes a of its
/// actuators.
///
/// Stateless: every call is a function of its arguments and of the set-up. All vectors of
/// motion and force have one entry per controlled DOF, or one per actuator; force-only DOFs
/// are none of a loading frame's business. Forces go by the transpose of the Jacobian
/// J = ∂a/∂d at the given strokes, f_interface = Jᵀ·f_actuators, so that both ends see the
/// same work. Strokes that no motion of the interface gives come back as not-a-number.
class LoadingFrame {
 public:
  virtual ~LoadingFrame() = default;

  virtual int actuators() const noexcept = 0;
  virtual int interface_dofs() const noexcept = 0;  ///< controlled ones

  /// a = T·d with a constant T, which tangent() is: what feed-forward needs.
  virtual bool linear() const noexcept = 0;
  /// J at d = 0, actuators × controlled DOFs. For set-up.
  virtual Eigen::MatrixXd tangent() const = 0;
  /// Why these controlled DOFs cannot be the ones it moves, or empty. For set-up.
  virtual std::string refusal_of(const InterfaceLayout& controlled) const = 0;

  virtual ActuatorVector to_actuators(
      const InterfaceVector& displacement) const noexcept = 0;
  /// With the exact first and second derivatives in time.
  virtual Stroke to_actuators(const Target& motion) const noexcept = 0;

  virtual InterfaceVector to_interface(
      const ActuatorVector& displacement) const noexcept = 0;
  /// With the exact first and second derivatives in time.
  virtual Target to_interface(const Stroke& stroke) const noexcept = 0;

  /// @param strokes  where the actuators are [m | rad]
  virtual InterfaceVector force_to_interface(
      const ActuatorVector& force, const ActuatorVector& strokes) const noexcept = 0;
  /// The actuators' forces that add up to a force at the interface, the smallest of them
  /// where there are more actuators than DOFs.
  virtual ActuatorVector force_to_actuators(
      const InterfaceVector& force, const ActuatorVector& strokes) const noexcept = 0;
};

}  // namespace trestle
