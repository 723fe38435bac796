#pragma once

#include <memory>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/site_adapter.h"

namespace trestle::config {
class ControlThread;
class Limits;
class PluginAdapter;
}  // namespace trestle::config

namespace trestle::composition {

/// What the site of a plug-in says that the plug-in's driver process needs.
struct PluginSite {
  std::string name;
  bool hardware_watchdog = false;  ///< a device outside stops the rig, as the site states
  const config::Limits& limits;
  const config::ControlThread& control_thread;
};

/// Whether the plug-in runs in a driver process, as it does unless the file says otherwise.
bool in_driver(const config::PluginAdapter& plugin) noexcept;

/// Loads the plug-in and takes its rig, here or in a driver process.
/// @param clock  that real equipment is timed by
/// @param path   of the adapter in the configuration
/// @throws SettingError  as PluginRig, or where neither a file nor a name is given
std::unique_ptr<SiteAdapter> make_plugin_rig(const config::PluginAdapter& plugin,
                                             const PluginSite& site,
                                             std::unique_ptr<const Clock> clock,
                                             const std::string& path);

/// Describes the rig by the plug-in's settings, without opening it: another process may be
/// driving it. Each use of the rig trips.
/// @param path  of the adapter in the configuration
/// @returns null if the plug-in reads its settings only when it opens the rig
/// @throws SettingError  what make_plugin_rig() would refuse of the file and its settings
std::unique_ptr<SiteAdapter> describe_plugin_rig(const config::PluginAdapter& plugin,
                                                 const PluginSite& site,
                                                 std::unique_ptr<const Clock> clock,
                                                 const std::string& path);

}  // namespace trestle::composition
