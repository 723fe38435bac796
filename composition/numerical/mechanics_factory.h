#pragma once

#include <memory>
#include <string>

#include "numerical/materials/restoring_force.h"

namespace trestle::config {
class RestoringForceLaw;
}  // namespace trestle::config

namespace trestle::composition {

/// @param path  of the law in the configuration, for errors
/// @throws SettingError where no law is given or a setting is outside its range
std::unique_ptr<materials::RestoringForce> make_restoring_force(
    const config::RestoringForceLaw& law, const std::string& path);

}  // namespace trestle::composition
