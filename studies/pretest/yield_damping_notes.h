#pragma once

#include <string>
#include <vector>

#include "proto/config/test.pb.h"

namespace trestle {

/// Where Rayleigh's stiffness part acts on springs that may yield (`stiffness: initial`):
/// how large a part of its yield force the damping force of each reaches, at the velocity
/// of a linear estimate; a sentence for each that matters.
/// @throws SettingError where the test cannot be built
std::vector<std::string> yield_damping_notes(const config::Test& test);

}  // namespace trestle
