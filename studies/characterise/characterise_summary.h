#pragma once

#include <string>

#include "studies/characterise/characterisation.h"

namespace trestle {

/// One screen for people: what was found of each actuator, and what to tell a compensator.
std::string characterise_summary(const CharacteriseReport& report,
                                 const CharacteriseSettings& settings);

}  // namespace trestle
