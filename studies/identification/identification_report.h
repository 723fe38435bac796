#pragma once

#include <string>

#include "studies/identification/identification.h"

namespace trestle::identification {

/// One screen: what was found, how sure, and what the data do not determine.
std::string identification_text(const IdentificationStudy& study,
                                const IdentificationResult& result);

/// summary.json; everything in SI.
std::string identification_json(const IdentificationStudy& study,
                                const IdentificationResult& result);

/// Readings and what the result makes of them, of one pass: CSV with a head.
std::string residual_csv(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass);

/// The same as a picture: a panel for each sensor, the residual below.
std::string residual_svg(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass);

/// The road that was looked for: CSV with a head.
std::string road_csv(const FoundRoad& road);

/// Unit of a parameter [SI], as text: `kg`.
std::string unit_of(VehicleQuantity quantity);

}  // namespace trestle::identification
