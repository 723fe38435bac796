#pragma once

#include <cstddef>
#include <string>

#include "core/base/setting_error.h"

namespace trestle {

/// Checks of one number during set-up. The path of the error is the setting's own name; a
/// factory puts the path of the object before it.

/// A number as a person writes it: six digits, no trailing zeros.
std::string in_words(double value);

/// @param right  what would be right
/// @throws SettingError  at `field` if the value cannot work
template <typename Number>
void require(bool holds, const std::string& field, Number value, const std::string& right) {
  if (holds) return;
  throw SettingError(field, field + " is " + std::to_string(value) + "; " + right);
}

/// @throws SettingError unless value is finite and > 0
void require_above_zero(double value, const std::string& name);
/// @throws SettingError unless value is finite and >= limit
void require_at_least(double value, double limit, const std::string& name);
/// @throws SettingError unless lowest <= value < end
void require_within(double value, double lowest, double end, const std::string& name);

/// @param field  of `limits.actuators[actuator]`
/// @throws SettingError  if the limit is not above zero; NaN is not
void require_limit_above_zero(double limit, std::size_t actuator, const char* field);

}  // namespace trestle
