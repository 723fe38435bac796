#include "composition/processes/rig_identity.h"

#include <filesystem>
#include <sstream>

#include "composition/processes/run_folder.h"
#include "composition/rigs/plugin_identity.h"
#include "core/host/host_lookup.h"
#include "core/host/state_folder.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"

namespace trestle::composition {
namespace {

constexpr std::size_t kLongestSlug = 40;

/// A word for a card is not a host: the resolver is not queried.
std::string canonical_value(const std::string& key, const std::string& value) {
  if (value.find('/') != std::string::npos) return host::canonical_address(value);
  if (key == "socket") return host::canonical_address("./" + value);
  return key == "device" ? value : host::canonical_address(value);
}

/// The adapter by its name, wherever its file lies, with its address in one spelling.
std::string equipment_of(const std::string& site, const config::PluginAdapter& plugin) {
  const std::string name = plugin.has_file()
                               ? std::filesystem::path(plugin.file()).stem().string()
                               : plugin.name();
  std::string address;
  for (const std::string key : kAddressSettings) {
    std::istringstream lines(plugin.settings());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(key + ": "))
        address += (key == "port" && !address.empty() ? ":" : " ") +
                   canonical_value(key, line.substr(key.size() + 2));
  }
  return name + (address.empty() ? " of site " + site : " at" + address);
}

RigIdentity make_identity(const std::string& site, const config::Adapter& adapter) {
  return {site, rig_of_plugin(site, adapter.plugin()),
          equipment_of(site, adapter.plugin())};
}

}  // namespace

RigIdentity identity_of(const config::SiteFile& file) {
  if (file.has_adapter()) return make_identity(file.site(), file.adapter());
  return {file.site(), "simulated rig of site " + file.site(), {}};
}

RigIdentity identity_of(const config::Site& site) {
  if (site.has_adapter() && !site.twin()) return make_identity(site.name(), site.adapter());
  return {site.name(), "simulated rig of site " + site.name(), {}};
}

/// Readable, and another for another rig.
std::string place_of(const RigIdentity& identity) {
  const std::string slug = to_folder_name(identity.rig);
  const std::size_t from = slug.size() > kLongestSlug ? slug.size() - kLongestSlug : 0;
  return host::state_folder() + "/rigs/" + slug.substr(from) + rig_digits(identity.rig);
}

std::string driver_folder_of(const RigIdentity& identity) {
  return driver_folder(identity.rig);
}

}  // namespace trestle::composition
