#pragma once

#include <string>
#include <vector>

#include "proto/config/test.pb.h"

namespace trestle::pretest {

/// Checks Rayleigh's stiffness part on springs that may yield (`stiffness: initial`):
/// returns a sentence for each spring whose damping force, at the velocity of a linear
/// estimate, is a significant part of its yield force.
/// @throws SettingError if the test cannot be built
std::vector<std::string> yield_damping_notes(const config::Test& test);

}  // namespace trestle::pretest
