#pragma once

#include <memory>

#include "numerical/structure/frame_model.h"
#include "numerical/structure/member_law.h"

namespace trestle::structure {

/// The law of a member of a frame, by its section and the geometry of the frame. Null: the
/// member is linear.
/// @param length  of the member [m]
std::shared_ptr<MemberLaw> make_member_law(const FrameModel& model,
                                           const FrameMember& member, double length);

}  // namespace trestle::structure
