#pragma once

#include <string>
#include <vector>

#include "proto/config/test.pb.h"

namespace trestle::pretest {

/// Checks Rayleigh's stiffness part on springs, links and hinges that may yield
/// (`stiffness: initial`): returns a sentence for each whose damping force, at the velocity
/// of a linear estimate, is a significant part of its yield force. A hinge is taken to turn
/// as fast as the line between its member's nodes.
/// @throws SettingError if the test cannot be built
std::vector<std::string> yield_damping_notes(const config::Test& test);

}  // namespace trestle::pretest
