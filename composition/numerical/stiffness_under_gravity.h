#pragma once

#include <optional>

#include "numerical/structure/structural_model.h"
#include "numerical/substructure/structural_substructure.h"

namespace trestle::composition {

/// Gives the structure what members with laws add to its stiffness in the state under
/// gravity, as long as this lives: the modes of the report are those of small vibrations
/// about it.
class StiffnessUnderGravity {
 public:
  /// @param structure  outlives this
  StiffnessUnderGravity(structure::StructuralModel& structure,
                        const substructure::InitialState& state);
  StiffnessUnderGravity(const StiffnessUnderGravity&) = delete;
  StiffnessUnderGravity& operator=(const StiffnessUnderGravity&) = delete;
  ~StiffnessUnderGravity();

 private:
  structure::StructuralModel& structure_;
  std::optional<structure::SparseMatrix> at_rest_;
};

}  // namespace trestle::composition
