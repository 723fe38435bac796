#pragma once

#include <string>

#include "numerical/structure/damping.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Damping;
}  // namespace trestle::config

namespace trestle::composition {

/// @param path  of the damping in the configuration, for errors
/// @throws SettingError where the entries contradict each other
structure::DampingModel damping_model(const config::Damping& damping,
                                      const std::string& path);

/// Adds the damping that a configuration asks for, with the experimental parts in place.
/// @throws SettingError as damping_model() and add_damping()
void add_damping(structure::StructuralModel& structure, const config::Damping& damping,
                 const std::string& path);

}  // namespace trestle::composition
