#pragma once

#include <string>
#include <vector>

namespace trestle::cli {

/// Prints the lines of a configuration error, and that nothing was started.
void print_problems(const std::vector<std::string>& lines);

/// Prints what a person should look at, to standard error, at the start of what is begun
/// all the same.
void print_questions(const std::vector<std::string>& questions);

}  // namespace trestle::cli
