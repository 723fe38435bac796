#pragma once

#include <string>

#include "numerical/structure/damping.h"
#include "numerical/structure/structural_model.h"

namespace trestle {

namespace config {
class Damping;
}

/// @param path  of the damping in the configuration, for errors
/// @throws SettingError where the entries contradict each other
DampingModel damping_model(const config::Damping& damping, const std::string& path);

/// Adds the damping that a configuration asks for, with the experimental parts in place.
/// @throws SettingError as damping_model() and add_damping()
void add_damping(StructuralModel& structure, const config::Damping& damping,
                 const std::string& path);

}  // namespace trestle
