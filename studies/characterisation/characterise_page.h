#pragma once

#include <string>

#include "studies/characterisation/characterisation.h"

namespace trestle::characterisation {

/// Formats the results of a rig as one HTML document: gain and phase of every actuator,
/// measured and fitted, its response to a step, and the numbers with their deviations.
/// @param generator  the program and its version
std::string characterise_page(const CharacteriseReport& report,
                              const CharacteriseSettings& settings, const std::string& site,
                              const std::string& generator);

}  // namespace trestle::characterisation
