#pragma once

#include <string>

#include "observe/report/run_data.h"

namespace trestle::report {

/// Two runs laid over each other: their outcomes, the criteria of both, the motions of all
/// actuators that both have, and the difference, joined by the time of the test.
/// @param generator  the program and its version
std::string comparison_page(const RunData& first, const RunData& second,
                            const std::string& generator);

}  // namespace trestle::report
