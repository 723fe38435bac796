#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gateway/network_emulator/network_emulator.h"
#include "gateway/network_emulator/relay_settings.h"

namespace trestle::config {
class LinkFile;
}  // namespace trestle::config

namespace trestle::composition {

/// Parses HOST:PORT. An IPv6 host is written in brackets; `*` means every address of this
/// machine.
/// @throws SettingError with this path
network_emulator::HostPort make_host_port(const std::string& text, const std::string& path);

/// All relays of a LINK.yaml.
/// @throws SettingError with every problem found
std::vector<network_emulator::RelaySettings> make_relays(const config::LinkFile& file);

/// Reads LINK.yaml.
/// @param overrides  path=value
/// @throws ConfigError with everything that is wrong
std::vector<network_emulator::RelaySettings> load_relays(
    const std::string& file, const std::vector<std::string>& overrides);

/// Reads LINK.yaml and listens at the addresses of its relays.
/// @param overrides  path=value
/// @param say        called for each event
/// @throws ConfigError with everything that is wrong, also if an address cannot be used
std::unique_ptr<network_emulator::NetworkEmulator> load_network_emulator(
    const std::string& file, const std::vector<std::string>& overrides,
    const network_emulator::NetworkEmulator::EventCallback& say);

}  // namespace trestle::composition
