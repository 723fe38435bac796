#pragma once

#include <string>

#include "core/base/setting_error.h"

namespace trestle {

/// @param right  what would be right
/// @throws SettingError  at `field` where the value cannot work
template <typename Number>
void require(bool holds, const std::string& field, Number value, const std::string& right) {
  if (holds) return;
  throw SettingError(field, field + " is " + std::to_string(value) + "; " + right);
}

}  // namespace trestle
