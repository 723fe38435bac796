#pragma once

#include <string>
#include <vector>

namespace trestle::cli {

/// Prints the lines of a configuration error, and that nothing was started.
void print_problems(const std::vector<std::string>& lines);

}  // namespace trestle::cli
