#include "core/session/limit_path.h"

namespace trestle::session {
namespace {

struct Field {
  FaultKind kind;
  double ActuatorLimits::*member;
  const char* name;
};

constexpr Field kFields[] = {
    {FaultKind::kDisplacementLimit, &ActuatorLimits::displacement, "displacement"},
    {FaultKind::kRateLimit, &ActuatorLimits::rate, "rate"},
    {FaultKind::kForceLimit, &ActuatorLimits::force, "force"},
    {FaultKind::kTrackingError, &ActuatorLimits::tracking_error, "tracking_error"},
    {FaultKind::kEnergyError, &ActuatorLimits::energy_error, "energy_error"},
    {FaultKind::kAccelerationLimit, &ActuatorLimits::acceleration, "acceleration"},
};

}  // namespace

std::string limit_path(const Fault& fault) {
  if (fault.index < 0) return {};
  const std::string number = "[" + std::to_string(fault.index) + "].";
  if (fault.kind == FaultKind::kTargetLimit) return "interface" + number + "displacement";
  for (const Field& field : kFields)
    if (field.kind == fault.kind) return "actuators" + number + field.name;
  return {};
}

bool defines_limit(const Fault& fault, const RigLimits& limits,
                   const InterfaceLayout& layout) {
  if (fault.index < 0) return false;
  const auto index = static_cast<std::size_t>(fault.index);
  if (fault.kind == FaultKind::kTargetLimit)
    return index < layout.size() && layout[index].displacement_limit == fault.limit;
  for (const Field& field : kFields)
    if (field.kind == fault.kind)
      return index < limits.size() && limits[index].*field.member == fault.limit;
  return false;
}

}  // namespace trestle::session
