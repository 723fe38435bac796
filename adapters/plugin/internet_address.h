#pragma once

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "adapters/plugin/setting_values.h"

namespace trestle::plugin {

/// A place in the network that a setting names.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};

/// Reads `HOST:PORT`. Does not ask the network.
/// @param path   of the setting, for the sentence
/// @param least  smallest port; 0: the system may choose one
/// @param form   that the setting has, for the sentence
/// @throws std::runtime_error  if a part is missing, or the port is none: getaddrinfo()
///         would cut it to 16 bits and name another device
inline HostPort host_port_of(const std::string& text, const std::string& path,
                             unsigned least = 1, const char* form = "HOST:PORT") {
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool digits = !port.empty() && port.size() <= 5 &&
                      port.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long number = digits ? std::stoul(port) : 65536UL;
  if (colon == 0 || number > 65535UL || number < least)
    refuse(path, "is " + text + "; must be " + form + ", the port from " +
                     std::to_string(least) + " to 65535");
  return {text.substr(0, colon), static_cast<std::uint16_t>(number)};
}

/// Asks the system for the host, which may take its time.
/// @param path  of the setting, for the sentence
/// @throws std::runtime_error  if the host is not known
inline sockaddr_in resolved(const HostPort& place, const std::string& path) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;  // one answer for each address; fits datagrams as well
  addrinfo* found = nullptr;
  const int error = getaddrinfo(place.host.c_str(), nullptr, &wanted, &found);
  if (error != 0 || found == nullptr)
    refuse(path, "is " + place.host + ":" + std::to_string(place.port) +
                     ", a host that is not known: " + gai_strerror(error));
  sockaddr_in address{};
  std::memcpy(&address, found->ai_addr, sizeof address);
  freeaddrinfo(found);
  address.sin_port = htons(place.port);
  return address;
}

}  // namespace trestle::plugin
