#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/ports/site_adapter.h"
#include "core/types/rig_report.h"

namespace trestle::site_node {

/// Name and unit of each value of a reading of a rig, in the order of
/// RigServiceLoop::readings(): displacements, forces, load cells, further channels.
/// @param actuators  of the rig, maybe with the kinds of an agreed test
std::vector<RigReading> rig_channels(const std::vector<ActuatorDescription>& actuators,
                                     const RigDescription& rig);

/// "1.force 0.0123 kN": the channel and its mean.
std::string reading_text(const RigReading& reading);

/// All of them, parted by commas; "..." stands for those beyond `longest` [bytes].
std::string readings_text(const std::vector<RigReading>& readings, std::size_t longest);

}  // namespace trestle::site_node
