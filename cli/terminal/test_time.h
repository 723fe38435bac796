#pragma once

#include <optional>
#include <string>

namespace trestle::cli {

/// Reads a time of the test as a person types it: "17.4 s", "17.4s", "17.4", "-4s".
/// @returns [s]; empty: it is none, or 1e9 s or more
std::optional<double> read_test_time(std::string text);

}  // namespace trestle::cli
