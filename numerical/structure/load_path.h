#pragma once

#include <span>
#include <string>

#include "numerical/structure/frame_model.h"
#include "numerical/structure/line_load.h"
#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// The members under a load that travels from node to node. Where two nodes of the list are
/// not joined by one member, the members on the straight line between them are taken.
///
/// @param model  the frame that `structure` was assembled from (its springs may be gone)
/// @param nodes  names of at least two nodes, in the order of travel
/// @throws SettingError for an unknown node, a gap, and on the way a hinge, a release of
///         bending, a plastic end or an offset; its path is the place in the list: "[2]"
LoadPath load_path(const FrameModel& model, const StructuralModel& structure,
                   std::span<const std::string> nodes);

}  // namespace trestle::structure
