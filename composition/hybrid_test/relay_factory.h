#pragma once

#include <string>
#include <vector>

#include "gateway/network_emulator/relay_settings.h"

namespace trestle {

namespace config {
class LinkFile;
}  // namespace config

/// HOST:PORT; an IPv6 host stands in brackets, `*` is every address of this machine.
/// @throws SettingError with this path
HostPort make_host_port(const std::string& text, const std::string& path);

/// All relays of a LINK.yaml.
/// @throws SettingError with every problem found
std::vector<RelaySettings> make_relays(const config::LinkFile& file);

}  // namespace trestle
