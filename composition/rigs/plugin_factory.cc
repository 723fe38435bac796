#include "composition/rigs/plugin_factory.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "adapters/driver/driver_proxy.h"
#include "adapters/plugin/loaded_plugin.h"
#include "adapters/plugin/plugin_rig.h"
#include "adapters/plugin/shipped_adapter.h"
#include "composition/rigs/plugin_identity.h"
#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {
namespace {

constexpr int kDefaultPriority = 80;  // of a control thread

/// As the file says of the driver; what it leaves open, as of the site's control thread.
void set_thread(const config::DriverThread& driver, const config::ControlThread& site,
                driver::DriverSettings& settings) {
  settings.priority =
      site.has_priority() ? static_cast<int>(site.priority()) : kDefaultPriority;
  if (driver.has_priority()) settings.priority = static_cast<int>(driver.priority());
  if (site.has_cpu()) settings.cpu = static_cast<int>(site.cpu());
  if (driver.has_cpu()) settings.cpu = static_cast<int>(driver.cpu());
}

driver::DriverSettings driver_settings(const config::PluginAdapter& adapter,
                                       const plugin::PluginRigSettings& plugin,
                                       const PluginSite& site) {
  driver::DriverSettings settings;
  settings.file = std::filesystem::absolute(plugin.file).lexically_normal().string();
  settings.settings = plugin.settings;
  settings.overruns = plugin.overruns;
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  for (const config::ActuatorLimit& limit : site.limits.actuators())
    settings.limits.push_back({limit.has_displacement() ? limit.displacement() : kNoLimit,
                               limit.has_rate() ? limit.rate() : kNoLimit});
  set_thread(adapter.driver(), site.control_thread, settings);
  return settings;
}

/// Opens the rig where the laboratory's file says.
std::unique_ptr<plugin::OpenPlugin> open_plugin(const config::PluginAdapter& plugin,
                                                const plugin::PluginRigSettings& settings,
                                                const PluginSite& site,
                                                const std::string& path) {
  driver::DriverSettings driver = driver_settings(plugin, settings, site);
  try {
    driver.folder = driver_folder(rig_of_plugin(site.name, plugin));
    if (in_driver(plugin)) return std::make_unique<driver::DriverProxy>(driver, path);
    // A driver may hold the rig since the file said something else.
    driver::end_orphan(driver);
  } catch (const SettingError&) {
    throw;
  } catch (const std::runtime_error& error) {
    if (!driver.folder.empty() || in_driver(plugin)) throw SettingError(path, error.what());
  }
  return std::make_unique<plugin::LoadedPlugin>(settings.file, settings.settings, path);
}

/// @param at  of the plug-in in the configuration
plugin::PluginRigSettings rig_settings(const config::PluginAdapter& plugin,
                                       const PluginSite& site, const std::string& at) {
  plugin::PluginRigSettings settings;
  if (plugin.has_name()) {
    settings.file = plugin::bundled_adapter_path(plugin.name(), at + ".name");
  } else if (plugin.has_file()) {
    settings.file = plugin.file();
  } else {
    throw SettingError(at,
                       "names no plug-in; give it `file: X.so`, or `name:` of one "
                       "that came with this program");
  }
  if (plugin.has_driver() && !in_driver(plugin))
    throw SettingError(at + ".driver",
                       "driver is of a driver process, and this plug-in is in the site's "
                       "own; leave out isolation: none, or leave driver out");
  settings.settings = plugin.settings();
  settings.late_ticks = plugin.late_ticks();
  if (plugin.has_oldest()) settings.oldest = Duration{std::llround(plugin.oldest() * 1e9)};
  settings.overruns = plugin.overruns();
  settings.hardware_watchdog = site.hardware_watchdog;
  return settings;
}

}  // namespace

// A plug-in that crashes or hangs must not take the site with it.
bool in_driver(const config::PluginAdapter& plugin) noexcept {
  return !plugin.has_isolation() || plugin.isolation() == config::ISOLATION_PROCESS;
}

std::unique_ptr<SiteAdapter> make_plugin_rig(const config::PluginAdapter& plugin,
                                             const PluginSite& site,
                                             std::unique_ptr<const Clock> clock,
                                             const std::string& path) {
  const std::string at = path + ".plugin";
  const plugin::PluginRigSettings settings = rig_settings(plugin, site, at);
  return std::make_unique<plugin::PluginRig>(
      settings, open_plugin(plugin, settings, site, at), std::move(clock), at);
}

std::unique_ptr<SiteAdapter> describe_plugin_rig(const config::PluginAdapter& plugin,
                                                 const PluginSite& site,
                                                 std::unique_ptr<const Clock> clock,
                                                 const std::string& path) {
  const std::string at = path + ".plugin";
  const plugin::PluginRigSettings settings = rig_settings(plugin, site, at);
  if (plugin::LoadedAdapter(settings.file, at).settings_table() == nullptr) return nullptr;
  return std::make_unique<plugin::PluginRig>(
      settings,
      std::make_unique<plugin::LoadedPlugin>(settings.file, settings.settings, at,
                                             plugin::Opening::kSettings),
      std::move(clock), at);
}

}  // namespace trestle::composition
