#pragma once

#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/stability_report.h"

namespace trestle::pretest {

/// Computes the closed loop of a test before its sites are armed, and puts the verdict into
/// the integrator's settings: the integrator does not arm an unstable loop unless the test
/// allows it. Skips tests that run in lock-step with simulated rigs: nothing can break, and
/// the run itself shows it sooner.
/// @returns what was computed; not known if it was skipped
/// @throws SettingError  the test cannot be built
StabilityReport assess_run(composition::HybridTestSetup& setup);

}  // namespace trestle::pretest
