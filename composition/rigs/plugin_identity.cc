#include "composition/rigs/plugin_identity.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "core/host/state_folder.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {
namespace {

/// Returns the address of the equipment in a plug-in's settings, a line `key: value` each.
std::string address_in(const std::string& settings) {
  std::istringstream lines(settings);
  std::string address;
  for (std::string line; std::getline(lines, line);)
    for (const std::string key : kAddressSettings)
      if (line.starts_with(key + ": "))
        address += (address.empty() ? "" : " ") + line.substr(key.size() + 2);
  return address;
}

}  // namespace

bool has_address(const config::PluginAdapter& plugin) {
  return !address_in(plugin.settings()).empty();
}

std::string rig_of_plugin(const std::string& site, const config::PluginAdapter& plugin) {
  std::error_code none;
  const std::string file =
      plugin.has_file() ? std::filesystem::weakly_canonical(plugin.file(), none).string()
                        : plugin.name();
  const std::string address = address_in(plugin.settings());
  return "plugin " + file + (address.empty() ? " of site " + site : " at " + address);
}

std::string rig_digits(const std::string& rig) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char letter : rig)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  char digits[20];
  std::snprintf(digits, sizeof digits, "-%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string driver_folder(const std::string& rig) {
  return host::state_folder() + "/drivers/driver" + rig_digits(rig);
}

}  // namespace trestle::composition
