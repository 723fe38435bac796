#pragma once

#include <vector>

#include "core/ports/loading_frame.h"
#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "studies/characterisation/characterisation.h"
#include "studies/characterisation/rig_exercise.h"

namespace trestle {

/// All motions of a characterisation, in order.
struct ExercisePlan {
  ExerciseMove rest;
  std::vector<ExerciseMove> polarity;  // of each actuator
  std::vector<ExerciseMove> step;
  std::vector<ExerciseMove> signal;
  double step_rise = 0.0;  ///< [s]
  double step_hold = 0.0;  ///< [s]
};

/// @throws SettingError  where the settings are not of sizes that fit, or leave too little
///                       to be measured
ExercisePlan make_plan(const CharacteriseSettings& settings, const RigLimits& limits,
                       const RigDescription& rig);

/// @param position  where the rig stands [m | rad]
/// @throws SettingError with all that does not fit: number, limit, and what to change
void check_plan(const ExercisePlan& plan, const CharacteriseSettings& settings,
                const RigLimits& limits, const std::vector<ActuatorDescription>& actuators,
                const LoadingFrame& frame, const ActuatorVector& position);

}  // namespace trestle
