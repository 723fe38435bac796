#include "site-servers/safety/safe_action.h"

#include <cmath>

#include "core/base/setting_error.h"

namespace trestle::safety {
namespace {

void check(const ActuatorVector& values, int actuators, const std::string& path) {
  if (values.size() != actuators)
    throw SettingError(path, std::to_string(values.size()) + " values for " +
                                 std::to_string(actuators) +
                                 " actuators; give one for all or one each");
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!(values[i] > 0.0) || !std::isfinite(values[i]))
      throw SettingError(path, "is " + std::to_string(values[i]) + " for actuator " +
                                   std::to_string(i + 1) +
                                   "; must be above zero, and a number");
}

}  // namespace

void check(const SafeAction& action, int actuators, const std::string& path) {
  switch (action.kind) {
    case SafeAction::Kind::kHold:
      return;
    case SafeAction::Kind::kRampHome:
      check(action.rate, actuators, path + ".ramp_home.rate");
      check(action.acceleration, actuators, path + ".ramp_home.acceleration");
      return;
    case SafeAction::Kind::kUnload:
      check(action.rate, actuators, path + ".unload.rate");
      check(action.band, actuators, path + ".unload.band");
      check(action.travel, actuators, path + ".unload.travel");
      return;
  }
}

}  // namespace trestle::safety
