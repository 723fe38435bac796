#pragma once

#include <memory>

#include "gateway/openfresco_server/client_port.h"

namespace trestle::openfresco_server {

/// Opens a TCP port, where one client at a time connects.
/// @throws std::runtime_error where the address cannot be used; says which and why
std::unique_ptr<ClientPort> tcp_port(const ClientPort::Settings& settings);

}  // namespace trestle::openfresco_server
