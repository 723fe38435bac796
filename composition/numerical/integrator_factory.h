#pragma once

#include <memory>
#include <string>

#include "numerical/integration/time_integrator.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Integrator;
}

namespace trestle {

/// @param config     the kind; none set: explicit-newmark
/// @param time_step  Δt [s]
/// @param path       dotted path of `config`, for errors
/// @throws SettingError if the scheme does not suit the structure
std::unique_ptr<TimeIntegrator> make_integrator(const config::Integrator& config,
                                                const StructuralModel& structure,
                                                double time_step, const std::string& path);

}  // namespace trestle
