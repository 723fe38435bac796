#pragma once

#include <string>

namespace trestle {

/// Checks of one number during set-up. The path of the error is the setting's own name; a
/// catalogue puts the path of the object before it.

/// A number as a person writes it: six digits, no trailing zeros.
std::string in_words(double value);

/// @throws SettingError unless value is finite and > 0
void require_positive(double value, const std::string& name);
/// @throws SettingError unless value is finite and >= limit
void require_at_least(double value, double limit, const std::string& name);
/// @throws SettingError unless lowest <= value < end
void require_within(double value, double lowest, double end, const std::string& name);

}  // namespace trestle
