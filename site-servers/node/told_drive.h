#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "core/types/message.h"

namespace trestle {

/// The drive that a person has read off the equipment's controller.
/// @param text      "14.94 mm", one number with its unit for each actuator, commas between
///                  them; or "measured": the controller's drive is where the rig stands
/// @param measured  where it stands
/// @param limits    one per actuator
/// @returns the drive [m | rad], or one sentence: why that cannot be
std::variant<ActuatorVector, std::string> told_drive(
    const std::string& text, const std::vector<ActuatorDescription>& actuators,
    const ActuatorVector& measured, const RigLimits& limits);

/// "14.94 mm", or one per actuator with commas between them.
std::string drive_text(const ActuatorVector& drive,
                       const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle
