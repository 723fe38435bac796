#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::operators {

/// What a person reads before real equipment is armed, a line each: of each site how well
/// its clock is known, of each actuator its agreed limits and the delay that the loop
/// bears.
std::vector<std::string> arming_lines(const ArmingStatus& arming);

}  // namespace trestle::operators
