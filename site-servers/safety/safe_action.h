#pragma once

#include <string>

#include "core/types/actuator_vector.h"

namespace trestle::safety {

/// The action of a site that can no longer follow its targets, as its laboratory configured
/// it. One value per actuator.
struct SafeAction {
  enum class Kind {
    kHold,      ///< the drive stays where it is
    kRampHome,  ///< to zero, all actuators together
    kUnload,    ///< against the sign of the force, until that is inside its band
  };

  Kind kind = Kind::kHold;
  ActuatorVector rate{};          ///< ramp home, unload: at most [m/s | rad/s]
  ActuatorVector acceleration{};  ///< ramp home: at most [m/s² | rad/s²]
  ActuatorVector band{};          ///< unload: a force taken for none [N | N·m]
  ActuatorVector travel{};        ///< unload: longest way, there and back [m | rad]
};

/// @param path  of the action in the configuration
/// @throws SettingError  if there is not one positive, finite value per actuator
void check(const SafeAction& action, int actuators, const std::string& path);

}  // namespace trestle::safety
