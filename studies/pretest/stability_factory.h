#pragma once

#include "studies/pretest/assessment.h"

namespace trestle::config {
class Test;
}  // namespace trestle::config

namespace trestle::pretest {

/// The closed loop of a test from its configuration (docs/explanation/stability.md).
/// @throws SettingError if the test cannot be built
TestClosedLoop make_loop(const config::Test& test);

/// Is the closed loop of this test stable, and how far is it from the edge?
/// @throws SettingError if the test cannot be built
StabilityReport assess_stability(const config::Test& test,
                                 MarginScope margins = MarginScope::kAll);

/// Returns true if the loop can be computed and is unstable as configured; takes no
/// margins.
/// @throws SettingError if the test cannot be built
bool computed_unstable(const config::Test& test);

}  // namespace trestle::pretest
