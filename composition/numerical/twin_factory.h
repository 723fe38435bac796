#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerical/integration/time_integrator.h"
#include "numerical/structure/experimental_part.h"
#include "numerical/structure/structural_model.h"
#include "numerical/substructure/twin_updating.h"

namespace trestle::config {
class Test;
}

namespace trestle::composition {

/// Reads `updating`, and gives the springs that follow a specimen laws that can.
/// @param structure  before a scheme is set up for it
/// @throws SettingError  with all that is wrong: sites, DOFs and twins that do not exist or
///         have another law
std::vector<substructure::TwinSettings> make_twins(
    const config::Test& test, structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts);

/// The sentence where a twin may become stiffer than the scheme bears; nothing if none may.
std::optional<std::string> too_stiff(const std::vector<substructure::TwinSettings>& twins,
                                     const integration::TimeIntegrator& integrator,
                                     double time_step);

}  // namespace trestle::composition
