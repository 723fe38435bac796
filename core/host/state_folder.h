#pragma once

#include <string>

namespace trestle {

/// Where this host keeps what must be found again whatever the working directory is:
/// $TRESTLE_STATE, else $XDG_STATE_HOME/trestle, else ~/.local/state/trestle.
/// @throws std::runtime_error  none of them is an absolute path
std::string state_folder();

}  // namespace trestle
