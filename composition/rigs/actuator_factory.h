#pragma once

#include <memory>
#include <string>

#include "adapters/simulated/actuator_model.h"

namespace trestle::config {
class Rig;
}  // namespace trestle::config

namespace trestle::composition {

/// The actuators of a rig: one model each, or one transfer matrix for all; neither: ideal.
/// @param path  of the rig
/// @throws SettingError if there are not `actuators` of them, or a setting cannot be
std::unique_ptr<simulated::ActuatorModel> make_actuators(const config::Rig& rig,
                                                         int actuators,
                                                         const std::string& path);

}  // namespace trestle::composition
