#pragma once

#include <memory>
#include <string>

#include "numerical/integration/time_integrator.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Integrator;
}

namespace trestle::composition {

/// @param config     the kind; none set: explicit-newmark
/// @param time_step  Δt [s]
/// @param path       dotted path of `config`, for errors
/// @throws SettingError if the scheme does not suit the structure
std::unique_ptr<integration::TimeIntegrator> make_integrator(
    const config::Integrator& config, const structure::StructuralModel& structure,
    double time_step, const std::string& path);

/// Commands to the sites in one step: `iterations` with sites: each-iteration, else one.
int commands_per_step(const config::Integrator& config);

/// Commands of a test during one step of its reference, or of one command of that.
/// @param reference  the integrator that the reference has; no kind: the test's
/// @throws SettingError if both have several commands in a step, and not the same number
int commands_per_reference_step(const config::Integrator& test,
                                const config::Integrator& reference);

}  // namespace trestle::composition
