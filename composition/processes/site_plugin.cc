#include "composition/processes/site_plugin.h"

#include "adapters/plugin/shipped_adapter.h"
#include "composition/rigs/plugin_factory.h"
#include "composition/rigs/plugin_identity.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"

namespace trestle::composition {

SitePlugin plugin_of_site(const std::string& file) {
  config::SiteFile site;
  yaml::SourceMap where;
  yaml::read_yaml(file, {}, site, where);
  SitePlugin found;
  yaml::ConfigErrorCollector problems(where);
  problems.attempt([&] {
    if (!site.adapter().has_plugin())
      throw SettingError("site", "has no adapter that is a plug-in");
    const config::PluginAdapter& plugin = site.adapter().plugin();
    found.site = site.site();
    found.name = plugin.name();
    found.file = plugin.has_name()
                     ? plugin::bundled_adapter_path(plugin.name(), "adapter.plugin.name")
                     : plugin.file();
    found.settings = plugin.settings();
    found.in_driver = in_driver(plugin);
  });
  problems.throw_if_any();
  return found;
}

RigIdentity identity_of(const SitePlugin& plugin) {
  config::SiteFile site;
  site.set_site(plugin.site);
  config::PluginAdapter& adapter = *site.mutable_adapter()->mutable_plugin();
  if (plugin.name.empty())
    adapter.set_file(plugin.file);
  else
    adapter.set_name(plugin.name);
  adapter.set_settings(plugin.settings);
  RigIdentity identity = identity_of(site);
  if (plugin.site.empty() && !has_address(adapter)) identity.equipment.clear();
  return identity;
}

}  // namespace trestle::composition
