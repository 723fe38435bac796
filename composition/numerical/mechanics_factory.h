#pragma once

#include <memory>
#include <string>
#include <vector>

#include "numerical/materials/restoring_force.h"

namespace trestle::config {
class RestoringForceLaw;
}  // namespace trestle::config

namespace trestle::composition {

/// @param path  of the law in the configuration, for errors
/// @throws SettingError where no law is given or a setting is outside its range
std::unique_ptr<materials::RestoringForce> make_restoring_force(
    const config::RestoringForceLaw& law, const std::string& path);

/// The laws of a link, one for each of its directions; the kinds of make_restoring_force(),
/// and those that only links have: viscous, friction-pendulum, gaps with damping.
/// @pre the directions fit the law: one or two for friction-pendulum
std::vector<std::unique_ptr<materials::RestoringForce>> make_link_laws(
    const config::RestoringForceLaw& law, std::size_t directions, const std::string& path);

}  // namespace trestle::composition
