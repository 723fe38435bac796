#pragma once

#include "numerical/structure/frame_model.h"

namespace trestle::config {
class RestoringForceLaw;
}

namespace trestle::composition {

/// The law of a hinge at a member's end. `stiffness: rigid`, which is read as infinite,
/// becomes 1000 times 6EI/L of the member or its part.
/// @param rotation  local ry, rz: 1, 2
config::RestoringForceLaw law_of_hinge(const config::RestoringForceLaw& given,
                                       const structure::FrameModel& model, int member,
                                       int rotation);

}  // namespace trestle::composition
