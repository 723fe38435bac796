#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ports/actuator_controller.h"

namespace trestle::config {
class ActuatorController;
}  // namespace trestle::config

namespace trestle::composition {

/// Makes the controller of a configuration; without a kind the schema's default.
/// @param tick   control tick δt [s], > 0
/// @param path   of the message in the configuration
/// @throws SettingError with the path of the field below it
std::unique_ptr<ActuatorController> make_controller(
    const config::ActuatorController& message, int actuators, double tick,
    const std::string& path);
/// @param bytes  the serialised message, as in Configure
std::unique_ptr<ActuatorController> make_controller(std::string_view bytes, int actuators,
                                                    double tick, const std::string& path);

}  // namespace trestle::composition
