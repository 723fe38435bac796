#pragma once

#include <span>
#include <string>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// Adds the physical parts to `structure.experimental_*`. Adds the share that the
/// integrator computes (inertia, the ground's included, and damping that the answers lack)
/// to the numerical mass, damping and base load.
///
/// Two names of one equation (a rigid floor) may belong to two sites: their forces add.
/// @param fixed  names of DOFs that the model has but holds, for a better sentence
/// @param path   of the sites in the configuration; errors stand at
///               `<path>[i].interface[j]` or `.force_only[j]`
/// @throws SettingError with all problems: a DOF the model does not have, one that is
/// fixed,
///         one claimed twice, a matrix of the wrong size
void add_experimental_parts(StructuralModel& structure,
                            std::span<const ExperimentalPart> parts,
                            std::span<const std::string> fixed = {},
                            const std::string& path = "sites");

}  // namespace trestle::structure
