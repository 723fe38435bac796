#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adapters/simulated/coupled_actuators.h"
#include "core/ports/loading_frame.h"
#include "core/ports/site_adapter.h"

namespace trestle::config {
class Rig;
}  // namespace trestle::config

namespace trestle::composition {

/// The part of a rig that a bond graph provides: the specimen and the names of its ports.
struct GraphSide {
  std::unique_ptr<simulated::SpecimenDynamics> specimen =
      nullptr;  ///< null: there is no graph
  std::vector<std::string> ports = {};
};

/// @param specimen  null: made from the rig's own, which must be linear then
/// @param actuators  of the site, or of all sites that share the specimen
/// @throws SettingError if sizes do not fit or a setting cannot be
simulated::CoupledActuators make_loaded_transfers(
    const config::Rig& rig, int actuators,
    std::unique_ptr<simulated::SpecimenDynamics> specimen, const std::string& path);

/// A rig with `transfer_systems`.
/// @param site  its name, for the noise
std::unique_ptr<SiteAdapter> make_loaded_rig(const config::Rig& rig,
                                             const std::string& site,
                                             const LoadingFrame& frame, GraphSide graph,
                                             const std::string& path);

}  // namespace trestle::composition
