#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/types/limits.h"
#include "core/types/message.h"
#include "core/types/rig_request.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/node/rig_service_loop.h"
#include "site-servers/node/site_settings.h"

namespace trestle::site_node {

/// What a person states of an exercise: each actuator moves by a small sine.
struct StatedExercise {
  ActuatorVector amplitude{};            ///< one per actuator [m | rad]; zero: it stays
  double period = 0.0;                   ///< [s], a whole number of control ticks
  double delay = ActuatorLimits::kNone;  ///< at most; infinite: not stated [s]
  ActuatorVector noise{};                ///< at most; infinite: not stated [m | rad]
};

/// A person's command to move a rig between two tests, in SI units.
struct RigCommand {
  RigRequest::Action action = RigRequest::Action::kHome;
  int actuator = -1;       ///< of a jog or an exercise; -1: all
  double amount = 0.0;     ///< of a jog [m | rad]
  ActuatorVector rate{};   ///< peak, one per actuator [m/s | rad/s]; exercise: none
  ActuatorVector force{};  ///< that ends the motion; infinite: none [N | N·m]
  std::string drive{};     ///< in force, as the person says; empty: not said
  std::string words{};     ///< "jog of actuator 1 by 2 mm at 1 mm/s"
  StatedExercise exercise{};
};

/// The rig that is commanded.
struct CommandedRig {
  const SiteSettings& settings;
  std::vector<ActuatorDescription> actuators;
  RigLimits limits;   ///< the laboratory's, one per actuator
  double tick = 0.0;  ///< control tick of the motion [s]
};

/// Reads a jog, a return home or an exercise.
/// @returns the command, or one sentence: what is wrong with it
std::variant<RigCommand, std::string> read_rig_command(const RigRequest& request,
                                                       const CommandedRig& rig);

/// The state of the rig before it is moved.
struct RigBefore {
  Measurement seen{};  ///< complete and finite
  bool real = true;    ///< a simulated rig stands on its drive after its preparation
  /// That the equipment reports; empty: it reports none.
  std::optional<ActuatorVector> reported{};
  /// That this process gave last; empty: it gave none.
  std::optional<DriveInForce> stood{};
};

/// Plans the motion from the drive in force. The gate checks every drive of it again.
/// @returns the motion, or one sentence: why the rig is not moved
std::variant<RigMotionTask, std::string> plan_motion(const RigCommand& command,
                                                     const CommandedRig& rig,
                                                     const RigBefore& before);

}  // namespace trestle::site_node
