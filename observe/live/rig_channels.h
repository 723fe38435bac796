#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::live {

/// The channels of a rig besides displacements and forces, for a row of a screen.
struct RigChannels {
  std::string open;  ///< "estop OPEN"; without a number "estop NOT KNOWN"; may be empty
  std::string text;  ///< all others: "hatch closed, oil 207 bar"; may be empty
};

/// @param readings  of a site; those with a deviation are its transducers
RigChannels rig_channels(const std::vector<RigReading>& readings);

}  // namespace trestle::live
