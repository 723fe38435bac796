#include "core/base/setting_checks.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace trestle {

std::string in_words(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

void require_above_zero(double value, const std::string& name) {
  if (std::isfinite(value) && value > 0.0) return;
  throw SettingError(name, name + " is " + in_words(value) + "; must be positive");
}

void require_at_least(double value, double limit, const std::string& name) {
  if (std::isfinite(value) && value >= limit) return;
  throw SettingError(
      name, name + " is " + in_words(value) + "; must be at least " + in_words(limit));
}

void require_within(double value, double lowest, double end, const std::string& name) {
  if (value >= lowest && value < end) return;
  throw SettingError(name, name + " is " + in_words(value) + "; must be at least " +
                               in_words(lowest) + " and below " + in_words(end));
}

void require_limit_above_zero(double limit, std::size_t actuator, const char* field) {
  if (limit > 0.0) return;
  throw SettingError(
      "limits.actuators[" + std::to_string(actuator) + "]." + field,
      std::string(field) + " is " + std::to_string(limit) + "; a limit must be above zero");
}

}  // namespace trestle
