#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "site-servers/checks/drive_in_force.h"

namespace trestle::site_node {

/// Parses the drive that a person read off the equipment's controller.
/// @param text      "14.94 mm", one number with its unit for each actuator, commas between
///                  them; or "measured": the controller's drive equals the measured
///                  position
/// @param measured  position of the rig
/// @param limits    one per actuator
/// @returns the drive [m | rad], or one sentence: why it is invalid
std::variant<ActuatorVector, std::string> told_drive(
    const std::string& text, const std::vector<ActuatorDescription>& actuators,
    const ActuatorVector& measured, const RigLimits& limits);

/// The values against which the answer is checked.
struct AskedDrive {
  std::vector<ActuatorDescription> actuators;
  ActuatorVector measured;  ///< position of the rig [m | rad]
  RigLimits limits;         ///< one per actuator
};

/// An answer that was given while no process drove the rig.
struct ToldDrive {
  std::string by;           ///< the person
  ActuatorVector drive;     ///< [m | rad]
  ActuatorVector measured;  ///< position at the question [m | rad]
};

/// As a control loop takes it up.
std::optional<DriveInForce> in_force(const std::optional<ToldDrive>& told);

/// The facts shown to the person who must state the drive in force.
struct UnknownDrive {
  ActuatorVector measured;             ///< position of the rig [m | rad]
  std::optional<ActuatorVector> last;  ///< given or on record last; nothing if none is
  const char* doubt = "";              ///< why that may not be in force, after ", "
};

/// Formats one sentence: which value is unknown, what is known, and how to state it.
/// @param site   its name, for the command
/// @param alone  the integrator's own process drives the rig and ends: the next process
///               uses the value
std::string unknown_drive_text(const UnknownDrive& unknown, const std::string& site,
                               bool alone,
                               const std::vector<ActuatorDescription>& actuators);

/// "14.94 mm", or one per actuator with commas between them.
std::string drive_text(const ActuatorVector& drive,
                       const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle::site_node
