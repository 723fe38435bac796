#include "site-servers/node/target_check.h"

#include <cmath>
#include <limits>

namespace trestle::site_node {
namespace {

Fault first_not_finite(const InterfaceVector& values) noexcept {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return {FaultKind::kNotFinite, static_cast<int>(i), values[i],
              std::numeric_limits<double>::max()};
  return {};
}

Fault first_not_finite(const StepCommand& command) noexcept {
  for (const InterfaceMotion* target : {&command.target, &command.feedforward_target})
    for (const InterfaceVector* values :
         {&target->displacement, &target->velocity, &target->acceleration})
      if (const Fault fault = first_not_finite(*values)) return fault;
  return first_not_finite(command.command_feedforward);
}

/// The wrong number of values: as if the missing ones were none.
Fault not_complete() noexcept {
  return {FaultKind::kNotFinite, -1, std::numeric_limits<double>::quiet_NaN(),
          std::numeric_limits<double>::max()};
}

bool complete(const InterfaceMotion& target, Eigen::Index dofs) noexcept {
  return target.displacement.size() == dofs && target.velocity.size() == dofs &&
         target.acceleration.size() == dofs;
}

}  // namespace

Fault TargetCheck::refusal_of(const StepCommand& command) const noexcept {
  const Eigen::Index dofs = frame_.interface_dofs();
  const Eigen::Index fed = frame_.linear() ? dofs : 0;
  if (!complete(command.target, dofs) ||
      (command.feedforward_target.displacement.size() != 0 &&
       (fed == 0 || !complete(command.feedforward_target, fed))) ||
      (command.command_feedforward.size() != 0 &&
       command.command_feedforward.size() != fed))
    return not_complete();
  if (const Fault fault = first_not_finite(command)) return fault;
  const InterfaceVector& target = command.target.displacement;
  for (Eigen::Index i = 0; i < target.size(); ++i) {
    const double limit = layout_[static_cast<std::size_t>(i)].displacement_limit;
    if (!(std::abs(target[i]) <= limit))
      return {FaultKind::kTargetLimit, static_cast<int>(i), std::abs(target[i]), limit};
  }
  if (const Fault fault = beyond_stroke(target)) return fault;
  if (command.command_feedforward.size() == 0 &&
      command.feedforward_target.displacement.size() == 0)
    return {};
  // The targets of the actuators if the compensator changes nothing.
  InterfaceVector asked = target;
  if (command.feedforward_target.displacement.size() != 0)
    asked -= command.feedforward_target.displacement;
  if (command.command_feedforward.size() != 0) asked += command.command_feedforward;
  return beyond_stroke(asked);
}

/// Returns a fault if the loading frame moves an actuator beyond its limit for this target.
Fault TargetCheck::beyond_stroke(const InterfaceVector& place) const noexcept {
  const ActuatorVector stroke = frame_.to_actuators(place);
  for (Eigen::Index i = 0; i < stroke.size(); ++i) {
    const double limit = limits_[static_cast<std::size_t>(i)].displacement;
    if (std::abs(stroke[i]) > limit)
      return {FaultKind::kDisplacementLimit, static_cast<int>(i), std::abs(stroke[i]),
              limit};
  }
  return {};
}

}  // namespace trestle::site_node
