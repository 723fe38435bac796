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
    : arm_(checked(settings).arm),
      angle_{-settings.angle, settings.angle},
      cosine_{std::cos(angle_[0]), std::cos(angle_[1])},
      spread_(2.0 * arm_ * std::sin(angle_[1])),
      sense_(settings.clockwise ? -1.0 : 1.0),
      sine_in_inverse_(settings.sine_in_inverse) {}

Eigen::MatrixXd CouplerFrame::tangent() const {
  return Eigen::MatrixXd{{1.0, lever(0, 0.0)}, {1.0, lever(1, 0.0)}};
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

/// ∂a_i/∂rz.
double CouplerFrame::lever(int actuator, double theta) const noexcept {
  return -sense_ * arm_ * std::sin(theta + angle_[actuator]);
}

double CouplerFrame::sine(const ActuatorVector& strokes) const noexcept {
  return (strokes[0] - strokes[1]) / spread_;
}

ActuatorVector CouplerFrame::to_actuators(
    const InterfaceVector& displacement) const noexcept {
  assert(displacement.size() == 2);
  const double theta = sense_ * displacement[1];
  ActuatorVector strokes(2);
  for (int i = 0; i < 2; ++i)
    strokes[i] = displacement[0] + arm_ * (std::cos(theta + angle_[i]) - cosine_[i]);
  return strokes;
}

ActuatorMotion CouplerFrame::to_actuators(const InterfaceMotion& motion) const noexcept {
  ActuatorMotion stroke{to_actuators(motion.displacement), ActuatorVector(2),
                        ActuatorVector(2)};
  const double theta = sense_ * motion.displacement[1];
  const double rate = sense_ * motion.velocity[1];
  const double rate_of_rate = sense_ * motion.acceleration[1];
  for (int i = 0; i < 2; ++i) {
    const double across = arm_ * std::sin(theta + angle_[i]);
    const double along = arm_ * std::cos(theta + angle_[i]);
    stroke.velocity[i] = motion.velocity[0] - across * rate;
    stroke.acceleration[i] =
        motion.acceleration[0] - along * rate * rate - across * rate_of_rate;
  }
  return stroke;
}

InterfaceVector CouplerFrame::to_interface(
    const ActuatorVector& displacement) const noexcept {
  assert(displacement.size() == 2);
  const double q = sine(displacement);
  const double theta = std::asin(q);
  const double turned = sine_in_inverse_ ? q : theta;
  InterfaceVector motion(2);
  motion[0] = displacement[0] - arm_ * (std::cos(angle_[0] + turned) - cosine_[0]);
  motion[1] = sense_ * theta;
  return motion;
}

InterfaceMotion CouplerFrame::to_interface(const ActuatorMotion& stroke) const noexcept {
  InterfaceMotion motion{to_interface(stroke.displacement), InterfaceVector(2),
                         InterfaceVector(2)};
  const double q = sine(stroke.displacement);
  const double q_rate = sine(stroke.velocity);
  const double q_rate_of_rate = sine(stroke.acceleration);
  const double cosine = std::sqrt(1.0 - q * q);
  const double rate = q_rate / cosine;
  const double rate_of_rate = (q_rate_of_rate + q * rate * rate) / cosine;
  const double turned = sine_in_inverse_ ? q : std::asin(q);
  const double turn = sine_in_inverse_ ? q_rate : rate;
  const double turn_of_turn = sine_in_inverse_ ? q_rate_of_rate : rate_of_rate;
  const double across = arm_ * std::sin(angle_[0] + turned);
  const double along = arm_ * std::cos(angle_[0] + turned);
  motion.velocity[0] = stroke.velocity[0] + across * turn;
  motion.acceleration[0] =
      stroke.acceleration[0] + along * turn * turn + across * turn_of_turn;
  motion.velocity[1] = sense_ * rate;
  motion.acceleration[1] = sense_ * rate_of_rate;
  return motion;
}

InterfaceVector CouplerFrame::force_to_interface(
    const ActuatorVector& force, const ActuatorVector& strokes) const noexcept {
  assert(force.size() == 2 && strokes.size() == 2);
  const double theta = std::asin(sine(strokes));
  InterfaceVector generalised(2);
  generalised[0] = force[0] + force[1];
  generalised[1] = lever(0, theta) * force[0] + lever(1, theta) * force[1];
  return generalised;
}

ActuatorVector CouplerFrame::force_to_actuators(
    const InterfaceVector& force, const ActuatorVector& strokes) const noexcept {
  assert(force.size() == 2 && strokes.size() == 2);
  const double theta = std::asin(sine(strokes));
  const double first = lever(0, theta);
  const double second = lever(1, theta);
  ActuatorVector along(2);
  along[0] = (second * force[0] - force[1]) / (second - first);
  along[1] = (force[1] - first * force[0]) / (second - first);
  return along;
}

}  // namespace trestle::kinematics
