#pragma once

#include <string>
#include <vector>

#include "core/types/arming_status.h"
#include "studies/pretest/demand_factory.h"

namespace trestle::cli {

/// What a test asks of each actuator, against the limits that were agreed: a line each.
/// "site lab, actuator 1 is asked for up to 12 mm, 60 mm/s, 3.2 kN (linear estimate):
/// within its limits"
/// @param demands  as `trestle check` estimates them, by the name of the site
std::vector<std::string> demand_lines(const ArmingStatus& arming,
                                      const std::vector<pretest::SiteDemand>& demands);

/// The same of a run, whose test is estimated now. One line why not if it cannot be, or
/// takes longer than somebody waits who arms it.
/// @param folder  of the run, with `effective.yaml`
std::vector<std::string> demand_lines(const ArmingStatus& arming,
                                      const std::string& folder);

}  // namespace trestle::cli
