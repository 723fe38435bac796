#include "site-servers/kinematics/coupler_frame.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"

namespace trestle::kinematics {
namespace {

const CouplerSettings& checked(const CouplerSettings& settings) {
  if (!(settings.arm > 0.0) || !std::isfinite(settings.arm))
    throw SettingError("arm", "the arm is " + std::to_string(settings.arm) +
                                  " m long; must be above zero");
  if (!(settings.angle > 0.0 && settings.angle <= 0.5 * std::numbers::pi))
    throw SettingError("angle", "the arms stand at " + std::to_string(settings.angle) +
                                    " rad; must be above zero and at most a right angle");
  return settings;
}

}  // namespace

CouplerFrame::CouplerFrame(const CouplerSettings& settings)
    : geometry_{.arm = checked(settings).arm,
                .angle = {-settings.angle, settings.angle},
                .cosine = {std::cos(-settings.angle), std::cos(settings.angle)},
                .spread = 2.0 * settings.arm * std::sin(settings.angle),
                .sense = settings.clockwise ? -1.0 : 1.0,
                .sine_in_inverse = settings.sine_in_inverse} {}

Eigen::MatrixXd CouplerFrame::tangent() const {
  return Eigen::MatrixXd{{1.0, geometry_.lever(0, 0.0)}, {1.0, geometry_.lever(1, 0.0)}};
}

std::string CouplerFrame::refusal_of(const InterfaceLayout& controlled) const {
  if (controlled.size() == 2 && controlled[0].kind == DofKind::kTranslation &&
      controlled[1].kind == DofKind::kRotation)
    return {};
  std::string names;
  for (const InterfaceDof& dof : controlled)
    names += (names.empty() ? "" : ", ") + dof.name;
  return "a coupler moves x and rz of its node, in this order; its interface is [" + names +
         "]";
}

ActuatorVector CouplerFrame::to_actuators(
    const InterfaceVector& displacement) const noexcept {
  assert(displacement.size() == 2);
  ActuatorVector strokes(2);
  geometry_.to_actuators(displacement.data(), strokes.data());
  return strokes;
}

ActuatorMotion CouplerFrame::to_actuators(const InterfaceMotion& motion) const noexcept {
  ActuatorMotion stroke{to_actuators(motion.displacement), ActuatorVector(2),
                        ActuatorVector(2)};
  geometry_.to_actuator_rates(motion.displacement.data(), motion.velocity.data(),
                              motion.acceleration.data(), stroke.velocity.data(),
                              stroke.acceleration.data());
  return stroke;
}

InterfaceVector CouplerFrame::to_interface(
    const ActuatorVector& displacement) const noexcept {
  assert(displacement.size() == 2);
  const double q = geometry_.sine(displacement.data());
  InterfaceVector motion(2);
  geometry_.to_interface(displacement.data(), q, std::asin(q), motion.data());
  return motion;
}

InterfaceMotion CouplerFrame::to_interface(const ActuatorMotion& stroke) const noexcept {
  InterfaceMotion motion{to_interface(stroke.displacement), InterfaceVector(2),
                         InterfaceVector(2)};
  const double q = geometry_.sine(stroke.displacement.data());
  const double q_rate = geometry_.sine(stroke.velocity.data());
  const double q_rate_of_rate = geometry_.sine(stroke.acceleration.data());
  const double cosine = std::sqrt(1.0 - q * q);
  const double rate = q_rate / cosine;
  const double rate_of_rate = (q_rate_of_rate + q * rate * rate) / cosine;
  const bool by_sine = geometry_.sine_in_inverse;
  const double turned = by_sine ? q : std::asin(q);
  const double turn = by_sine ? q_rate : rate;
  const double turn_of_turn = by_sine ? q_rate_of_rate : rate_of_rate;
  const double across = geometry_.arm * std::sin(geometry_.angle[0] + turned);
  const double along = geometry_.arm * std::cos(geometry_.angle[0] + turned);
  motion.velocity[0] = stroke.velocity[0] + across * turn;
  motion.acceleration[0] =
      stroke.acceleration[0] + along * turn * turn + across * turn_of_turn;
  motion.velocity[1] = geometry_.sense * rate;
  motion.acceleration[1] = geometry_.sense * rate_of_rate;
  return motion;
}

InterfaceVector CouplerFrame::force_to_interface(
    const ActuatorVector& force, const ActuatorVector& strokes) const noexcept {
  assert(force.size() == 2 && strokes.size() == 2);
  InterfaceVector generalised(2);
  CouplerGeometry<double>::force_to_interface(
      force.data(), geometry_.turn(strokes.data()).lever, generalised.data());
  return generalised;
}

ActuatorVector CouplerFrame::force_to_actuators(
    const InterfaceVector& force, const ActuatorVector& strokes) const noexcept {
  assert(force.size() == 2 && strokes.size() == 2);
  ActuatorVector along(2);
  CouplerGeometry<double>::force_to_actuators(
      force.data(), geometry_.turn(strokes.data()).lever, along.data());
  return along;
}

}  // namespace trestle::kinematics
