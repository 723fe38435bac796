#pragma once

#include <netinet/in.h>

#include <string>

#include "gateway/openfresco_server/client_port.h"

namespace trestle::openfresco_server {

/// The clients know IPv4 only.
/// @throws std::runtime_error if there is no such address
sockaddr_in resolved(const ClientPort::Settings& settings);

/// "127.0.0.1:8090"
std::string address_text(const sockaddr_in& address);

/// "127.0.0.1"
std::string host_of(const sockaddr_in& address);

/// Returns the address of a bound socket.
sockaddr_in address_of(int socket) noexcept;

bool allowed(const ClientPort::Settings& settings, const sockaddr_in& caller);

}  // namespace trestle::openfresco_server
