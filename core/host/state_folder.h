#pragma once

#include <string>

namespace trestle::host {

/// Returns the state folder of this host, independent of the working directory:
/// $TRESTLE_STATE, or $XDG_STATE_HOME/trestle, or ~/.local/state/trestle.
/// @throws std::runtime_error  none of them is an absolute path
std::string state_folder();

}  // namespace trestle::host
