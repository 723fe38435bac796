#pragma once

#include <complex>
#include <functional>
#include <string>

namespace trestle::config {
class Site;
}  // namespace trestle::config

namespace trestle::composition {

/// Writes out what stands for something else in the control chain of a site, so that what
/// goes to the site's server are a compensator and a controller with all their numbers:
///
///   lqg       none, and the controller lqg around the site's transfer_system
///   ats_lqg   ats around that controller
///   legacy_filtered_command   ats whose rates come from a filtered target
///   initial, coefficients by a rule   numbers, from transfer_system and controller
///   ats with neither expected_delay nor initial   ats with `initial: fit`
///
/// @param tick       control tick δt [s]
/// @param actuators  of the site
/// @param path       of the site in the configuration
/// @throws SettingError if a rule or a preset has no transfer_system to work from, or a
///         preset of a controller stands beside another controller
void expand_presets(config::Site& site, int actuators, double tick,
                    const std::string& path);

/// Returns the response behind the compensator of a site, from its identified
/// transfer_system and its controller: actuator `actuator` alone, at a complex frequency s
/// [rad/s]. For a pass-through it is the transfer system in continuous time, unless the
/// sampled one is requested; for any other controller the sampled loop.
/// @pre the presets are written out
/// @returns nothing (an empty function) where the site has no transfer_system, or its
///          controller no linear form
std::function<std::complex<double>(std::complex<double>)> response_behind_compensator(
    const config::Site& site, int actuators, int actuator, double tick,
    const std::string& path, bool sampled = false);

}  // namespace trestle::composition
