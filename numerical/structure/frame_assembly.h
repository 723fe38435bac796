#pragma once

#include <string>
#include <vector>

#include "numerical/structure/frame_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// Assembles a frame; time and room are proportional to its members.
///
/// FrameNumbering says which DOFs are equations. Supports take their DOFs out; a rigid
/// floor gives the x of its nodes one equation (a support at one of them holds all). The
/// rotation of a node where every member is hinged, without inertia, spring or
/// `has_rotational_dof`, is no DOF. A hinged end of a member with consistent mass, of a
/// spatial frame, or with a plastic law has a separate rotation,
/// `<member>.from.rz` or `.to.rz`, which comes behind the nodes' DOFs. Massless DOFs are
/// legal here. Linear springs go into stiffness, dampers of springs into damping, nonlinear
/// springs into `springs`. No other damping, nothing experimental yet.
/// @pre all references of the model are in range, no member has length zero
StructuralModel assemble(FrameModel model);

/// Names of the DOFs that supports hold, as `<node>.<x|y|z|rx|ry|rz>`.
std::vector<std::string> fixed_dofs(const FrameModel& model);

}  // namespace trestle::structure
