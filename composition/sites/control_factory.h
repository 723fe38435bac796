#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "site-servers/safety/safe_action.h"

namespace trestle::config {
class ActuatorController;
class Compensator;
class Limits;
class SafeAction;
}  // namespace trestle::config

namespace trestle::composition {

/// From the configuration to the objects of a site's control chain. `path` is where the
/// message stands in the configuration; every function throws SettingError with the path of
/// the field below it (`sites.west.compensator.ats.memory`). A message without a kind gives
/// the schema's default.

/// Empty where the message limits no actuator.
/// @param actuators  of the rig, which the entries must match; 0: not known here
RigLimits make_limits(const config::Limits& message, int actuators,
                      const std::string& path);

/// Of an action that says nothing: hold. Values that are given once are for all actuators.
safety::SafeAction make_safe_action(const config::SafeAction& message, int actuators,
                                    const std::string& path);

/// Puts the limits on targets into a layout; each holds from now on in place of the one
/// before. Names as in find_dof().
InterfaceLayout limit_targets(const config::Limits& message, InterfaceLayout layout,
                              const std::string& path);

}  // namespace trestle::composition
