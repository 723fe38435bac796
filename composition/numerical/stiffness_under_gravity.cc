#include "composition/numerical/stiffness_under_gravity.h"

#include <utility>

#include "core/base/snapshot.h"
#include "numerical/integration/member_forces.h"

namespace trestle::composition {

StiffnessUnderGravity::StiffnessUnderGravity(structure::StructuralModel& structure,
                                             const substructure::InitialState& state)
    : structure_(structure) {
  integration::MemberForces members(structure);
  if (members.empty() || state.gravity.size() == 0) return;
  at_rest_ = structure.stiffness;
  SnapshotReader laws(state.member_laws);
  members.restore(laws);
  members.trial(state.gravity);
  structure.stiffness += members.tangent();
  members.reset();
}

StiffnessUnderGravity::~StiffnessUnderGravity() {
  if (at_rest_) structure_.stiffness = *std::move(at_rest_);
}

}  // namespace trestle::composition
