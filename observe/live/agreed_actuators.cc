#include "observe/live/agreed_actuators.h"

#include <algorithm>
#include <map>

#include "core/base/number_text.h"
#include "core/session/contract_lines.h"
#include "core/types/actuator_vector.h"

namespace trestle::live {
namespace {

using Lines = std::map<std::string, std::string>;

Lines lines_of(const std::string& contract) {
  Lines lines;
  for (auto& [key, value] : session::parse_contract_lines(contract))
    lines.emplace(key, value);
  return lines;
}

std::string value_of(const Lines& lines, const std::string& key) {
  const auto found = lines.find(key);
  return found == lines.end() ? std::string() : found->second;
}

double number_of(const Lines& lines, const std::string& key, double otherwise) {
  return parse_number(value_of(lines, key)).value_or(otherwise);
}

double limit_of(const Lines& lines, const std::string& key) {
  const double limit = number_of(lines, key, ActuatorLimits::kNone);
  return limit > 0.0 ? limit : ActuatorLimits::kNone;
}

ActuatorLimits limits_of(const Lines& lines, const std::string& key, bool turns) {
  const std::string motion = turns ? "_rad" : "_m";
  ActuatorLimits limits;
  limits.displacement = limit_of(lines, key + "displacement" + motion);
  limits.rate = limit_of(lines, key + "rate" + motion + "_s");
  limits.acceleration = limit_of(lines, key + "acceleration" + motion + "_s2");
  limits.force = limit_of(lines, key + "force" + (turns ? "_N_m" : "_N"));
  limits.tracking_error = limit_of(lines, key + "tracking_error" + motion);
  limits.tracking_dwell = std::max(number_of(lines, key + "tracking_dwell_s", 0.0), 0.0);
  limits.energy_error = limit_of(lines, key + "energy_error");
  return limits;
}

}  // namespace

std::vector<AgreedActuator> read_agreed_actuators(const std::string& contract) {
  const Lines lines = lines_of(contract);
  const double count = std::clamp(number_of(lines, "actuators", 0.0), 0.0,
                                  static_cast<double>(kMaxActuators));
  std::vector<AgreedActuator> actuators;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const std::string place = "actuators[" + std::to_string(i) + "].";
    const bool turns = value_of(lines, place + "kind") == "rotation";
    actuators.push_back({value_of(lines, place + "name"),
                         turns ? DofKind::kRotation : DofKind::kTranslation,
                         limits_of(lines, "limits." + place, turns)});
  }
  return actuators;
}

std::string contract_value(const std::string& contract, const std::string& key) {
  return value_of(lines_of(contract), key);
}

}  // namespace trestle::live
