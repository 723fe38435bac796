#pragma once

#include <string>

#include "core/types/message.h"
#include "studies/characterisation/characterisation.h"
#include "studies/characterisation/gated_excitation.h"

namespace trestle::characterisation {

/// The second half of a rest: position, offsets and noise of every channel.
void analyse_rest(const ExerciseRecord& rest, const ActuatorVector& position,
                  std::vector<ActuatorFinding>& findings);

/// A small motion of one actuator.
/// @returns a sentence where displacement or force goes the wrong way, or nothing follows;
///          else empty
std::string analyse_polarity(const ExerciseRecord& motion,
                             const ActuatorDescription& actuator, std::size_t place,
                             ActuatorFinding& finding);

/// Times of the drive of a smooth step.
struct StepTimes {
  double tick = 0.0;  ///< [s]
  double rise = 0.0;  ///< [s]
  double hold = 0.0;  ///< [s]
};

/// A smooth step of one actuator, out and back.
void analyse_step(const ExerciseRecord& step, const StepTimes& times, std::size_t place,
                  ActuatorFinding& finding);

}  // namespace trestle::characterisation
