#pragma once

#include <string>

#include "observe/report/run_data.h"

namespace trestle::report {

/// The report of one run: an HTML document that needs nothing from outside. The same
/// record gives the same bytes, wherever its folder is and whenever it is made.
/// @param generator  the program and its version
std::string run_page(const RunData& run, const std::string& generator);

}  // namespace trestle::report
