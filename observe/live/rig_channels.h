#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::live {

/// The channels of a rig besides displacements and forces, for a row of a screen.
struct RigChannels {
  std::string text;       ///< "estop OPEN, oil 207 bar"; contacts first; empty: none
  bool any_open = false;  ///< a contact is open
};

/// @param readings  of a site; those with a deviation are its transducers
RigChannels rig_channels(const std::vector<RigReading>& readings);

}  // namespace trestle::live
