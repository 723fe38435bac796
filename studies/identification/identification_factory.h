#pragma once

#include <string>
#include <vector>

#include "studies/identification/identification.h"

namespace trestle::identification {

/// Reads STUDY.yaml with its records, or generates the readings that it requests.
/// @throws ConfigError with all problems that can be told at once
IdentificationStudy read_identification(const std::string& file,
                                        const std::vector<std::string>& overrides);

}  // namespace trestle::identification
