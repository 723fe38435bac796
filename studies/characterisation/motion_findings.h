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

/// A smooth step of one actuator, out and back.
/// @param rise, hold  of its drive [s]
void analyse_step(const ExerciseRecord& step, double tick, double rise, double hold,
                  std::size_t place, ActuatorFinding& finding);

}  // namespace trestle::characterisation
