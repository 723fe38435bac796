#pragma once

#include <string>
#include <vector>

#include "studies/pretest/stability_report.h"

namespace trestle::pretest {

/// Formats a line for each examined stiffness: "without compensation UNSTABLE (the
/// actuators are 11.9 ms late; 2.3 ms would be too much); with ats, as it starts: stable,
/// margin 1.9 ms"; below it, where there are several actuators, what each alone may be late
/// besides.
std::vector<std::string> in_words(const StabilityReport& report);

}  // namespace trestle::pretest
