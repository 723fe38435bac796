#pragma once

#include <cstdint>
#include <string>

#include "core/network/link_settings.h"

namespace trestle::network_emulator {

/// A place in a network: a host's name or number, and a port.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;  ///< to listen at: 0 is any free one
};

/// `127.0.0.1:7001`, `[::1]:7001`.
std::string text(const HostPort& place);

/// One relay: connects callers of `listen` to `to`, over the link.
struct RelaySettings {
  std::string name;
  HostPort listen;
  HostPort to;
  network::LinkSettings link;  ///< its delay applies towards `to`, its return_delay towards
                               ///< the caller
};

}  // namespace trestle::network_emulator
