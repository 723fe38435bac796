#pragma once

#include <string>
#include <vector>

#include "core/types/exercise_result.h"
#include "core/types/message.h"
#include "site-servers/node/rig_command.h"
#include "site-servers/node/rig_service_loop.h"

namespace trestle::site_node {

/// Compares what the actuators did during an exercise with what is stated of them: the
/// measured displacement follows the drive, with its sign and a gain of 1 within 5 %; delay
/// and noise are at most those that the person stated; the own force has the sign of a
/// specimen that resists, or none.
/// @param tick  control tick [s]
/// @returns one entry per exercised actuator. @pre loop.over()
std::vector<ExerciseResult> exercise_findings(
    const RigServiceLoop& loop, const StatedExercise& stated,
    const std::vector<ActuatorDescription>& actuators, double tick);

/// "actuator 1 gain 0.998, delay 12.3 ms, noise 0.002 mm; as stated", or what is not.
std::string exercise_text(const std::vector<ExerciseResult>& exercise);

}  // namespace trestle::site_node
