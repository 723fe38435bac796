#include "site-servers/kinematics/matrix_frame.h"

#include <cassert>
#include <string>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"

namespace trestle::kinematics {
namespace {

// Pivots below this part of the largest count as zero; rows may mix metres and radians.
constexpr double kSingular = 1e-10;

[[noreturn]] void refuse(const std::string& what) {
  throw SettingError("loading_frame.actuator_from_interface", what);
}

std::string shape(const Eigen::MatrixXd& matrix) {
  return std::to_string(matrix.rows()) + " actuators and " + std::to_string(matrix.cols()) +
         " interface DOFs";
}

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& matrix) {
  const Eigen::Index told_apart = math::rank(matrix, kSingular);
  if (told_apart < matrix.cols())
    refuse("the matrix is singular: rank " + std::to_string(told_apart) + " with " +
           shape(matrix) +
           "; the rows must tell every interface DOF apart from the others");
  // Elimination inverts permutations and signs exactly; reflections do not.
  if (matrix.rows() == matrix.cols()) return math::inverse(matrix);
  return math::least_squares(matrix,
                             Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows()));
}

}  // namespace

MatrixFrame MatrixFrame::identity(int interface_dofs) {
  MatrixFrame frame(Eigen::MatrixXd::Identity(interface_dofs, interface_dofs));
  frame.identity_ = true;
  return frame;
}

MatrixFrame::MatrixFrame(const Eigen::MatrixXd& actuator_from_interface)
    : matrix_(actuator_from_interface) {
  if (matrix_.size() == 0) refuse("the matrix is empty; give one row per actuator");
  if (matrix_.rows() > kMaxActuators || matrix_.cols() > kMaxInterfaceDofs)
    refuse("the matrix has " + shape(matrix_) + "; at most " +
           std::to_string(kMaxActuators) + " and " + std::to_string(kMaxInterfaceDofs));
  if (!matrix_.allFinite()) refuse("the matrix has an entry that is not a finite number");
  if (matrix_.rows() < matrix_.cols())
    refuse("the matrix has " + shape(matrix_) +
           "; at least one actuator per interface DOF is needed");
  inverse_ = inverse_of(matrix_);
}

ActuatorMotion MatrixFrame::to_actuators(const InterfaceMotion& motion) const noexcept {
  return {to_actuators(motion.displacement), to_actuators(motion.velocity),
          to_actuators(motion.acceleration)};
}

InterfaceMotion MatrixFrame::to_interface(const ActuatorMotion& stroke) const noexcept {
  return {to_interface(stroke.displacement), to_interface(stroke.velocity),
          to_interface(stroke.acceleration)};
}

ActuatorVector MatrixFrame::to_actuators(
    const InterfaceVector& displacement) const noexcept {
  assert(displacement.size() == matrix_.cols());
  if (identity_) return displacement;
  ActuatorVector strokes(matrix_.rows());
  strokes.noalias() = matrix_ * displacement;
  return strokes;
}

InterfaceVector MatrixFrame::to_interface(
    const ActuatorVector& displacement) const noexcept {
  assert(displacement.size() == matrix_.rows());
  if (identity_) return displacement;
  InterfaceVector motion(matrix_.cols());
  motion.noalias() = inverse_ * displacement;
  return motion;
}

InterfaceVector MatrixFrame::force_to_interface(
    const ActuatorVector& force, const ActuatorVector& /*strokes*/) const noexcept {
  assert(force.size() == matrix_.rows());
  if (identity_) return force;
  InterfaceVector generalised(matrix_.cols());
  generalised.noalias() = matrix_.transpose() * force;
  return generalised;
}

ActuatorVector MatrixFrame::force_to_actuators(
    const InterfaceVector& force, const ActuatorVector& /*strokes*/) const noexcept {
  assert(force.size() == matrix_.cols());
  if (identity_) return force;
  ActuatorVector along(matrix_.rows());
  along.noalias() = inverse_.transpose() * force;
  return along;
}

}  // namespace trestle::kinematics
