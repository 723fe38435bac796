#include "gateway/openfresco_server/internet_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace trestle::openfresco_server {

Result<ClientPort::Settings> port_settings(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  ClientPort::Settings settings;
  const auto bad = [&] {
    return Error{ErrorCode::kMalformed, "`" + listen +
                                            "` is no place to listen; give HOST:PORT, for "
                                            "example 127.0.0.1:8090"};
  };
  if (colon == std::string::npos || colon == 0) return bad();
  settings.host = listen.substr(0, colon) == "*" ? "0.0.0.0" : listen.substr(0, colon);
  const char* end = listen.data() + listen.size();
  const auto [stop, error] = std::from_chars(listen.data() + colon + 1, end, settings.port);
  if (error != std::errc{} || stop != end) return bad();
  return settings;
}

sockaddr_in resolved(const ClientPort::Settings& settings) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(settings.host.c_str(), nullptr, &wanted, &found);
  if (error != 0 || found == nullptr)
    throw std::runtime_error("cannot listen at " + settings.host + ": " +
                             gai_strerror(error));
  sockaddr_in address = *reinterpret_cast<const sockaddr_in*>(found->ai_addr);
  freeaddrinfo(found);
  address.sin_port = htons(settings.port);
  return address;
}

bool open_to_the_network(const ClientPort::Settings& settings) {
  constexpr std::uint32_t kLoopback = 127;
  return ntohl(resolved(settings).sin_addr.s_addr) >> 24U != kLoopback;
}

std::string host_of(const sockaddr_in& address) {
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return text;
}

std::string address_text(const sockaddr_in& address) {
  return host_of(address) + ":" + std::to_string(ntohs(address.sin_port));
}

sockaddr_in address_of(int socket) noexcept {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

bool allowed(const ClientPort::Settings& settings, const sockaddr_in& caller) {
  return settings.allow.empty() || std::find(settings.allow.begin(), settings.allow.end(),
                                             host_of(caller)) != settings.allow.end();
}

}  // namespace trestle::openfresco_server
