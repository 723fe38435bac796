#pragma once

#include <memory>

#include "gateway/openfresco_server/client_port.h"

namespace trestle::openfresco_server {

/// Opens a UDP port, where the first sender is the client.
/// @throws std::runtime_error where the address cannot be used; says which and why
std::unique_ptr<ClientPort> udp_port(const ClientPort::Settings& settings);

}  // namespace trestle::openfresco_server
