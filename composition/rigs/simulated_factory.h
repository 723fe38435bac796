#pragma once

#include <memory>
#include <string>

#include "adapters/simulated/simulated_rig.h"
#include "composition/rigs/loaded_rig_factory.h"
#include "composition/rigs/specimen_factory.h"
#include "core/ports/loading_frame.h"
#include "core/ports/site_adapter.h"
#include "core/types/interface_layout.h"

namespace trestle::config {
class Rig;
}  // namespace trestle::config

namespace trestle::composition {

/// Returns the number of a rig's actuators as far as the rig states it: by its actuators or
/// its transfer matrix, its noise, or a specimen that it drives DOF by DOF; 0: not stated
/// (a column without any of them). make_simulated_rig() checks that these agree.
int rig_actuators(const config::Rig& rig) noexcept;

/// Returns the noise of a rig's transducers, accelerometers of a vehicle included; zeros if
/// none is set.
/// @param path  of the noise in the configuration
simulated::SensorNoise make_sensor_noise(const config::Rig& rig, Eigen::Index actuators,
                                         const std::string& path);

/// @param site  its name, for the noise
/// @param path  of the rig in the configuration
/// @param layout  the site's interface DOFs: for the reactions, and for the kinds of the
///                actuators (rotation where one moves by rotations alone). Empty if it
///                is not known yet: then all are translations, and the rig has a load cell
///                for every DOF that its specimen can have besides the controlled ones
/// @param graph  with transfer_systems: the part from the specimen's graph, if it has one
/// @throws SettingError if sizes do not fit or a setting cannot be
std::unique_ptr<SiteAdapter> make_simulated_rig(const config::Rig& rig,
                                                const std::string& site,
                                                std::unique_ptr<const LoadingFrame> frame,
                                                const std::string& path,
                                                const InterfaceLayout& layout = {},
                                                GraphSide graph = {});

}  // namespace trestle::composition
