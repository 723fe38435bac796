#pragma once

#include <vector>

#include "core/ports/loading_frame.h"
#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "studies/characterisation/characterisation.h"
#include "studies/characterisation/gated_excitation.h"

namespace trestle::characterisation {

/// All motions of a characterisation, in order.
struct ExcitationPlan {
  ExcitationSegment rest;
  std::vector<ExcitationSegment> polarity;  // of each actuator
  std::vector<ExcitationSegment> step;
  std::vector<ExcitationSegment> signal;
  double step_rise = 0.0;  ///< [s]
  double step_hold = 0.0;  ///< [s]
};

/// @throws SettingError  if the settings are not of sizes that fit, or leave too little
///                       to be measured
ExcitationPlan make_plan(const CharacteriseSettings& settings, const RigLimits& limits,
                         const RigDescription& rig);

/// @param position  position of the rig [m | rad]
/// @throws SettingError with all that does not fit: number, limit, and what to change
void check_plan(const ExcitationPlan& plan, const CharacteriseSettings& settings,
                const RigLimits& limits, const std::vector<ActuatorDescription>& actuators,
                const LoadingFrame& frame, const ActuatorVector& position);

}  // namespace trestle::characterisation
