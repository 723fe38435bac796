#pragma once

#include <cstddef>
#include <string>

#include "studies/identification/identification.h"

namespace trestle::identification {

/// Readings and what the result makes of them, of one pass: CSV with a head.
std::string residual_csv(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass);

/// The same as a picture: a panel for each sensor, the residual below.
std::string residual_svg(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass);

/// The road that was looked for: CSV with a head.
std::string road_csv(const FoundRoad& road);

}  // namespace trestle::identification
