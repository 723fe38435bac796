#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "site-servers/safety/safe_action.h"

namespace trestle {

namespace config {
class ActuatorController;
class Compensator;
class Limits;
class SafeAction;
}  // namespace config

/// Makes the objects of a site's control chain from the configuration. `path` is the
/// message's path in the configuration; every function throws SettingError with the path of
/// the field below it (`sites.west.compensator.ats.memory`). A message without a kind gives
/// the schema's default.

/// @param tick  control tick δt [s], > 0
std::unique_ptr<Compensator> make_compensator(const config::Compensator& message,
                                              int actuators, double tick,
                                              const std::string& path);
/// @param bytes  the serialised message, as in Configure
std::unique_ptr<Compensator> make_compensator(std::string_view bytes, int actuators,
                                              double tick, const std::string& path);

/// Returns the message for a site, which cannot read the integrator's files: matrices as
/// rows, and the state after a warm start in place of its record.
/// @param site  its name, the prefix of the record's columns
config::Compensator inline_files(config::Compensator message, const std::string& site,
                                 double tick, const std::string& path);

std::unique_ptr<ActuatorController> make_controller(
    const config::ActuatorController& message, int actuators, double tick,
    const std::string& path);
std::unique_ptr<ActuatorController> make_controller(std::string_view bytes, int actuators,
                                                    double tick, const std::string& path);

/// Returns the message for a site, which cannot read the integrator's files: the matrices
/// of its plant as rows.
config::ActuatorController inline_files(config::ActuatorController message,
                                        const std::string& path);

/// Empty if the message limits no actuator.
/// @param actuators  of the rig, which the entries must match; 0: not known here
RigLimits make_limits(const config::Limits& message, int actuators,
                      const std::string& path);

/// Makes the safe action; default: hold. A single value applies to all actuators.
SafeAction make_safe_action(const config::SafeAction& message, int actuators,
                            const std::string& path);

/// Puts the limits on targets into a layout; each holds from now on in place of the one
/// before. Names as in find_dof().
InterfaceLayout limit_targets(const config::Limits& message, InterfaceLayout layout,
                              const std::string& path);

}  // namespace trestle
