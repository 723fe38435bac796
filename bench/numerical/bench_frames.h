#pragma once

#include "numerical/structure/frame_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle::bench {

/// Nodes on a grid of storeys by bays, three DOFs each but those of the lowest, which stand
/// fast.
structure::FrameModel planar_grid(int storeys, int bays);

/// A block of nodes, six DOFs each, joined along x, y and z as a mesh of soil would be: its
/// band is as wide as one level. The lowest level stands fast.
structure::FrameModel spatial_block(int along, int across, int levels);

/// Hinges with a bilinear law at the starts of this many members that are horizontal.
void add_hinges(structure::FrameModel& model, int count);

/// With damping by mass, and nothing experimental.
structure::StructuralModel assembled(structure::FrameModel model);

/// The same with springs in the stiffness matrix that do not yield.
structure::StructuralModel linearised(structure::StructuralModel structure);

}  // namespace trestle::bench
