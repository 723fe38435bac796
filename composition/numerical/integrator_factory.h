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

}  // namespace trestle::composition
