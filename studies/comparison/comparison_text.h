#pragma once

#include <string>
#include <vector>

#include "studies/comparison/comparison.h"

namespace trestle::comparison {

/// Names of the tests; of their files if two tests have the same name.
std::vector<std::string> comparison_titles(const std::vector<ComparisonEntry>& tests);

enum class TableStyle { kPlain, kTerminal, kMarkdown };

/// Results as rows, tests as columns, the best of each row in bold; what did not come to
/// its end says when. Of several seeds: mean ± standard deviation of one seed, and the best
/// as best_by_seeds() decides. Tests are called by their names, or by their files where
/// names are alike.
/// @param patterns  of results; none: select_results() decides
std::string comparison_text(const std::vector<ComparisonEntry>& tests,
                            const std::vector<std::string>& patterns, TableStyle style);

/// All results of all tests, one object, ends with a newline.
std::string comparison_json(const std::vector<ComparisonEntry>& tests);

}  // namespace trestle::comparison
