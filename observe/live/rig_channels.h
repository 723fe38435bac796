#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::live {

/// The channels of a rig besides displacements and forces, for a row of a screen.
struct RigChannels {
  std::string
      open;  ///< "estop OPEN", of a contact without a number "NOT KNOWN"; empty: none
  std::string text;  ///< all others: "hatch closed, oil 207 bar"; empty: none
};

/// @param readings  of a site; those with a deviation are its transducers
RigChannels rig_channels(const std::vector<RigReading>& readings);

}  // namespace trestle::live
