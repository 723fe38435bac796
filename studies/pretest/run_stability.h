#pragma once

#include "composition/processes/hybrid_test_setup.h"
#include "core/types/record.h"
#include "studies/pretest/stability_report.h"

namespace trestle::pretest {

/// Computes the closed loop of a test before its sites are armed, and puts the verdict into
/// the integrator's settings: the integrator does not arm an unstable loop unless the test
/// allows it, and records delay_limits(). Skips tests that run in lock-step with simulated
/// rigs: nothing can break, and the run itself shows it sooner.
/// @returns what was computed; not known if it was skipped
/// @throws SettingError  the test cannot be built
StabilityReport assess_run(composition::HybridTestSetup& setup);

/// The delay of each actuator, as tracking shows it, at which the loop turns unstable: if
/// it alone is later, or all are by the same, whichever comes first, in the worst case. As
/// facts of the record (meta_key::kDelayLimitOf); none of a loop that is unstable or not
/// known, or that stays stable at every delay that was tried.
RecordMetadata delay_limits(const StabilityReport& report);

}  // namespace trestle::pretest
