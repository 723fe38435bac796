#include "core/base/setting_check.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "core/base/setting_error.h"

namespace trestle {

std::string in_words(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

void require_positive(double value, const std::string& name) {
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

}  // namespace trestle
