#pragma once

#include <cstdint>
#include <vector>

#include "core/types/interface_vector.h"
#include "numerical/excitation/excitation.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/substructure/spring_forces.h"

namespace trestle::substructure {

/// What the records of a completed step look at.
struct StepView {
  const integration::StructuralState& state;
  const excitation::Excitation& excitation;
  std::int64_t step = 0;
  const SpringForces& springs;
  const integration::NewtonForces* iterated = nullptr;  ///< see SpringForces
  const std::vector<InterfaceVector>& sites;  ///< forces of specimens, as they answered
};

}  // namespace trestle::substructure
