#pragma once

#include <cstddef>

namespace trestle {

/// @param field  of `limits.actuators[actuator]`
/// @throws SettingError  if the limit is not above zero; NaN is not
void require_positive(double limit, std::size_t actuator, const char* field);

}  // namespace trestle
