#pragma once

#include <string>

#include "studies/identification/identification.h"

namespace trestle::identification {

/// summary.json; everything in SI.
std::string identification_json(const IdentificationStudy& study,
                                const IdentificationResult& result);

}  // namespace trestle::identification
