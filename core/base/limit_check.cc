#include "core/base/limit_check.h"

#include <string>

#include "core/base/setting_error.h"

namespace trestle {

void require_positive(double limit, std::size_t actuator, const char* field) {
  if (limit > 0.0) return;
  throw SettingError(
      "limits.actuators[" + std::to_string(actuator) + "]." + field,
      std::string(field) + " is " + std::to_string(limit) + "; a limit must be above zero");
}

}  // namespace trestle
