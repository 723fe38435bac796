#pragma once

#include <span>
#include <string>
#include <vector>

#include "numerical/structure/line_load.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Excitation;
class Numerical;
}  // namespace trestle::config

namespace trestle::composition {

/// The numerical substructure that a test describes, with what its sites add, with damping,
/// and checked for stability. The physical parts that given matrices contain are subtracted
/// after the damping of the whole structure is formed.
///
/// @param parts  one per site, in the order of the test
/// @param path   of the numerical part in the configuration: "numerical"; the sites are
///               taken to stand at "sites"
/// @param excitation  whose gravity a frame with `geometry: p-delta` needs
/// @throws SettingError with all problems of the first of these that has any: the model's
/// own
///         entries; the interface; mechanisms, every loose DOF by its name; p-delta; the
///         damping
structure::StructuralModel make_structure(
    const config::Numerical& numerical, std::span<const structure::ExperimentalPart> parts,
    const std::string& path, const config::Excitation* excitation = nullptr);

/// The way of a moving load over a frame or a beam.
/// @param nodes  by name, in the order of travel
/// @param path   of the list of nodes in the configuration
/// @throws SettingError for an unknown node, nodes that no member joins, and a member on
/// the
///         way that is not joined to its nodes rigidly
structure::LoadPath make_load_path(const config::Numerical& numerical,
                                   const structure::StructuralModel& structure,
                                   const std::vector<std::string>& nodes,
                                   const std::string& path);

}  // namespace trestle::composition
