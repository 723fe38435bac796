#include "composition/rigs/plugin_factory.h"

#include <cmath>
#include <utility>

#include "adapters/plugin/plugin_rig.h"
#include "adapters/plugin/shipped_adapter.h"
#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {

std::unique_ptr<SiteAdapter> make_plugin_rig(const config::PluginAdapter& plugin,
                                             bool hardware_watchdog,
                                             std::unique_ptr<const Clock> clock,
                                             const std::string& path) {
  plugin::PluginRigSettings settings;
  std::string at = path + ".plugin";
  if (plugin.has_name()) {
    settings.file = plugin::bundled_adapter_path(plugin.name(), at + ".name");
  } else if (plugin.has_file()) {
    settings.file = plugin.file();
  } else {
    throw SettingError(at,
                       "names no plug-in; give it `file: X.so`, or `name:` of one "
                       "that came with this program");
  }
  settings.settings = plugin.settings();
  settings.late_ticks = plugin.late_ticks();
  if (plugin.has_oldest()) settings.oldest = Duration{std::llround(plugin.oldest() * 1e9)};
  settings.overruns = plugin.overruns();
  settings.hardware_watchdog = hardware_watchdog;
  return std::make_unique<plugin::PluginRig>(settings, std::move(clock), at);
}

}  // namespace trestle::composition
