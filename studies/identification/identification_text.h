#pragma once

#include <string>

#include "studies/identification/identification.h"

namespace trestle::identification {

/// One screen: what was found, how sure, and what the data do not determine.
std::string identification_text(const IdentificationStudy& study,
                                const IdentificationResult& result);

/// One sentence: whether the gauges determine the motion of the nodes, and what else does.
std::string nodes_text(const NodalSummary& nodal);

/// Unit of a parameter [SI], as text: `kg`.
std::string unit_of(VehicleQuantity quantity);

}  // namespace trestle::identification
