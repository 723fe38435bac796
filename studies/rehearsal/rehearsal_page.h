#pragma once

#include <string>

#include "studies/rehearsal/rehearsal.h"

namespace trestle::rehearsal {

/// A rehearsal of faults as one HTML document: what became of the scenarios, fault by
/// fault, and which promises were broken.
/// @param generator  the program and its version
std::string rehearsal_page(const RehearsalReport& report, const RehearsalSettings& settings,
                           const std::string& generator);

}  // namespace trestle::rehearsal
