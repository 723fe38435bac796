#pragma once

#include <string>

#include "studies/characterisation/characterisation.h"

namespace trestle::characterisation {

/// Formats one screen: the results of each actuator, and the settings for a compensator.
std::string characterise_summary(const CharacteriseReport& report,
                                 const CharacteriseSettings& settings);

/// `compensator.yaml`: an adaptive time series that starts with the delays that were found.
std::string compensator_yaml(const CharacteriseReport& report, const std::string& site);

}  // namespace trestle::characterisation
