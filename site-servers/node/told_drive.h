#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "site-servers/checks/drive_in_force.h"

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

/// What their answer is judged by.
struct AskedDrive {
  std::vector<ActuatorDescription> actuators;
  ActuatorVector measured;  ///< where the rig stands [m | rad]
  RigLimits limits;         ///< one per actuator
};

/// An answer that was given while no process drove the rig.
struct ToldDrive {
  std::string by;           ///< the person
  ActuatorVector drive;     ///< [m | rad]
  ActuatorVector measured;  ///< where the rig stood when that was asked [m | rad]
};

/// As a control loop takes it up.
std::optional<DriveInForce> in_force(const std::optional<ToldDrive>& told);

/// What a person is asked who shall say which drive the equipment has in force.
struct UnknownDrive {
  ActuatorVector measured;             ///< where the rig stands [m | rad]
  std::optional<ActuatorVector> last;  ///< given or on record last; nothing where none is
  const char* doubt = "";              ///< why that may not be in force, after ", "
};

/// One sentence: what nobody knows, what is known, and how to say it.
/// @param site   its name, for the command
/// @param alone  the integrator's own process drives the rig, and ends: the next one is
/// told
std::string unknown_drive_text(const UnknownDrive& unknown, const std::string& site,
                               bool alone,
                               const std::vector<ActuatorDescription>& actuators);

/// "14.94 mm", or one per actuator with commas between them.
std::string drive_text(const ActuatorVector& drive,
                       const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle
