#include "observe/live/actuator_text.h"

#include <cmath>
#include <cstdio>

#include "observe/live/quantity_text.h"

namespace trestle::live {
namespace {

DisplayUnit unit_for(Quantity quantity, DofKind kind, double limit, double value) {
  return display_unit(quantity, kind, std::isfinite(limit) ? limit : std::abs(value));
}

bool is_between_rows(LimitKind limit) noexcept {
  return limit == LimitKind::kRate || limit == LimitKind::kAcceleration ||
         limit == LimitKind::kEnergyError;
}

std::string scaled(const char* format, double value) {
  if (!std::isfinite(value)) return "-";
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Quantity quantity_of(LimitKind limit) noexcept {
  switch (limit) {
    case LimitKind::kDisplacement:
    case LimitKind::kTrackingError:
      return Quantity::kDisplacement;
    case LimitKind::kRate:
      return Quantity::kRate;
    case LimitKind::kAcceleration:
      return Quantity::kAcceleration;
    case LimitKind::kForce:
      return Quantity::kForce;
    case LimitKind::kEnergyError:
      break;
  }
  return Quantity::kRatio;
}

std::string ActuatorText::name() const {
  return actuator_.site + " " + actuator_.name;
}

std::string ActuatorText::displacement(double value) const {
  const double limit = actuator_.use(LimitKind::kDisplacement).limit;
  return quantity_in(unit_for(Quantity::kDisplacement, actuator_.kind, limit,
                              std::isfinite(actuator_.target) ? actuator_.target : value),
                     value);
}

std::string ActuatorText::target() const {
  return displacement(actuator_.target);
}

std::string ActuatorText::measured() const {
  return displacement(actuator_.measured);
}

std::string ActuatorText::force() const {
  const double limit = actuator_.use(LimitKind::kForce).limit;
  return quantity_in(unit_for(Quantity::kForce, actuator_.kind, limit, actuator_.force),
                     actuator_.force);
}

std::string ActuatorText::delay() const {
  if (!std::isfinite(actuator_.delay)) return "-";
  return quantity_in({.name = "ms", .per_si = 1e3, .decimals = 1}, actuator_.delay);
}

std::string ActuatorText::error() const {
  return scaled("%.1f %%", actuator_.error * 1e2);
}

double ActuatorText::nearest_ratio() const {
  const std::optional<LimitKind> limit = actuator_.nearest();
  return limit ? actuator_.use(*limit).ratio() : 0.0;
}

std::string ActuatorText::nearest() const {
  const std::optional<LimitKind> limit = actuator_.nearest();
  if (!limit) return actuator_.is_use_known() ? "-" : "NOT KNOWN";
  return scaled("%.0f %% ", std::floor(nearest_ratio() * 1e2)) +
         trestle::live::name(*limit);
}

std::string ActuatorText::nearest_detail() const {
  const std::optional<LimitKind> limit = actuator_.nearest();
  if (!limit) return {};
  const UsedLimit& use = actuator_.use(*limit);
  const DisplayUnit unit = display_unit(quantity_of(*limit), actuator_.kind, use.limit);
  const bool at_least = actuator_.per_step && is_between_rows(*limit);
  return number_in(unit, use.value) + " of " + quantity_in(unit, use.limit) +
         (at_least ? ", per step: at least" : "");
}

}  // namespace trestle::live
