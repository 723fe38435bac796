#pragma once

#include <string>

#include "studies/identification/identification.h"

namespace trestle::identification {

/// An identification as one HTML document: what was found and how sure, what the data do
/// not determine, and the residual of every pass.
/// @param generator  the program and its version
std::string identification_page(const IdentificationStudy& study,
                                const IdentificationResult& result,
                                const std::string& generator);

}  // namespace trestle::identification
