#pragma once

#include <memory>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/site_adapter.h"

namespace trestle::config {
class PluginAdapter;
}  // namespace trestle::config

namespace trestle::composition {

/// Loads the plug-in and takes its rig.
/// @param hardware_watchdog  the laboratory states that a device outside stops the rig
/// @param clock  that real equipment is timed by
/// @param path   of the adapter in the configuration
/// @throws SettingError  as PluginRig, or where neither a file nor a name is given
std::unique_ptr<SiteAdapter> make_plugin_rig(const config::PluginAdapter& plugin,
                                             bool hardware_watchdog,
                                             std::unique_ptr<const Clock> clock,
                                             const std::string& path);

}  // namespace trestle::composition
