#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::live {

/// The channels of a rig besides displacements and forces, for a row of a screen.
struct RigChannels {
  /// Contacts that are open, or that stop the rig and are closed: "estop OPEN", "gate
  /// CLOSED"; without a number "estop NOT KNOWN"; may be empty.
  std::string marked;
  std::string text;  ///< all others: "hatch closed, oil 207 bar"; may be empty
};

/// @param readings  of a site; those with a deviation are its transducers
RigChannels rig_channels(const std::vector<RigReading>& readings);

}  // namespace trestle::live
