#include "observe/live/actuator_json.h"

#include <cmath>
#include <string>

namespace trestle::live {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson number_or_null(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

std::string with_unit(const char* quantity, LimitKind limit, DofKind kind) {
  const bool turns = kind == DofKind::kRotation;
  const std::string motion = turns ? "_rad" : "_m";
  switch (limit) {
    case LimitKind::kDisplacement:
    case LimitKind::kTrackingError:
      return quantity + motion;
    case LimitKind::kRate:
      return quantity + motion + "_s";
    case LimitKind::kAcceleration:
      return quantity + motion + "_s2";
    case LimitKind::kForce:
      return std::string(quantity) + (turns ? "_Nm" : "_N");
    case LimitKind::kEnergyError:
      break;
  }
  return quantity;
}

OrderedJson limits_json(const ActuatorView& actuator) {
  OrderedJson limits = OrderedJson::object();
  for (std::size_t i = 0; i < kLimitKinds; ++i) {
    const auto kind = static_cast<LimitKind>(i);
    const UsedLimit& use = actuator.used[i];
    if (!std::isfinite(use.limit)) continue;  // no limit is set
    const bool bound = actuator.per_step &&
                       (kind == LimitKind::kRate || kind == LimitKind::kAcceleration ||
                        kind == LimitKind::kEnergyError);
    limits[limit_key(kind)] = {
        {"used", number_or_null(use.ratio())},
        {with_unit("value", kind, actuator.kind), number_or_null(use.value)},
        {with_unit("limit", kind, actuator.kind), number_or_null(use.limit)},
        {"at_least", bound}};
  }
  return limits;
}

}  // namespace

const char* limit_key(LimitKind limit) noexcept {
  switch (limit) {
    case LimitKind::kTrackingError:
      return "tracking_error";
    case LimitKind::kEnergyError:
      return "energy_error";
    default:
      return name(limit);
  }
}

nlohmann::ordered_json actuator_json(const ActuatorView& actuator) {
  const bool turns = actuator.kind == DofKind::kRotation;
  const std::string motion = turns ? "_rad" : "_m";
  OrderedJson json = {{"site", actuator.site},
                      {"actuator", actuator.name},
                      {"target" + motion, number_or_null(actuator.target)},
                      {"measured" + motion, number_or_null(actuator.measured)},
                      {turns ? "force_Nm" : "force_N", number_or_null(actuator.force)},
                      {"late_s", number_or_null(actuator.delay)},
                      {"error", number_or_null(actuator.error)},
                      {"limits", limits_json(actuator)}};
  if (std::isfinite(actuator.margin)) json["margin_s"] = actuator.margin;
  if (std::isfinite(actuator.energy)) json["energy_J"] = actuator.energy;
  return json;
}

}  // namespace trestle::live
