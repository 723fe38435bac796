#pragma once

#include <string>
#include <vector>

#include "studies/comparison/comparison.h"

namespace trestle::comparison {

/// Several tests side by side as one HTML document: a bar for each test of each result,
/// and the table of them.
/// @param patterns   of results; none: select_results() decides
/// @param generator  the program and its version
std::string comparison_report(const std::vector<ComparisonEntry>& tests,
                              const std::vector<std::string>& patterns,
                              const std::string& generator);

}  // namespace trestle::comparison
