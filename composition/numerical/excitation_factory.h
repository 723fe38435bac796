#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerical/excitation/excitation.h"
#include "numerical/excitation/ground_motion.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Excitation;
}

namespace trestle::composition {

struct ExcitationSettings {
  double time_step = 0.0;          ///< Δt [s], > 0
  std::optional<double> duration;  ///< of the test [s]; none: the excitation's own
  std::uint64_t seed = 0;          ///< of the test; a synthetic record may have its own
};

/// Returns the base motion, with its scale; empty if the base is at rest.
/// @param seed  of the test; a synthetic record may have its own
/// @param path  dotted path of `config`, for errors
/// @throws SettingError if the record cannot be read
std::optional<excitation::GroundMotion> make_ground_motion(const config::Excitation& config,
                                                           std::uint64_t seed,
                                                           const std::string& path);

/// @param load_paths  one per moving load of the configuration
/// @param path        dotted path of `config`, for errors
/// @throws SettingError if the record cannot be read, or nothing says when the test ends
excitation::Excitation make_excitation(const config::Excitation& config,
                                       const structure::StructuralModel& structure,
                                       std::vector<structure::LoadPath> load_paths,
                                       const ExcitationSettings& settings,
                                       const std::string& path);

}  // namespace trestle::composition
