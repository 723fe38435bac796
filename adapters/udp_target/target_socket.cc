#include "adapters/udp_target/target_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

#include "adapters/plugin/internet_address.h"

namespace trestle::udp_target {
namespace {

sockaddr_in address_of(const std::string& text, const char* key, unsigned least) {
  return plugin::resolved(plugin::host_port_of(text, key, least), key);
}

/// Connected: what comes from any other address or port does not even wake us.
int bound_socket(const TargetSettings& settings) {
  const sockaddr_in here = address_of(settings.listen, "listen", 0);
  const sockaddr_in from = address_of(settings.from, "from", 1);
  const int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const bool bound =
      made >= 0 && bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof(here)) == 0;
  if (bound && connect(made, reinterpret_cast<const sockaddr*>(&from), sizeof(from)) == 0)
    return made;
  const std::string why = std::generic_category().message(errno);
  if (made >= 0) close(made);
  throw std::runtime_error(bound ? "from: " + settings.from + " cannot be reached from " +
                                       settings.listen + ": " + why
                                 : "listen: cannot listen at " + settings.listen + ": " +
                                       why);
}

}  // namespace

TargetSocket::TargetSocket(const TargetSettings& settings)
    : target_(address_of(settings.target, "target", 1)), socket_(bound_socket(settings)) {}

TargetSocket::~TargetSocket() {
  close(socket_);
}

std::uint16_t TargetSocket::port() const noexcept {
  sockaddr_in here{};
  socklen_t length = sizeof(here);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &length);
  return ntohs(here.sin_port);
}

bool TargetSocket::send(std::span<const std::uint8_t> frame) const noexcept {
  for (int attempt = 0; attempt < 2; ++attempt) {
    const ssize_t size =
        sendto(socket_, frame.data(), frame.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&target_), sizeof(target_));
    if (size == static_cast<ssize_t>(frame.size())) return true;
    if (errno != EINTR && errno != ECONNREFUSED) return false;
  }
  return false;
}

ssize_t TargetSocket::receive(std::span<std::uint8_t> into) const noexcept {
  return recv(socket_, into.data(), into.size(), MSG_DONTWAIT | MSG_TRUNC);
}

void TargetSocket::wait(int milliseconds) const noexcept {
  pollfd waiting{socket_, POLLIN, 0};
  poll(&waiting, 1, milliseconds);
}

}  // namespace trestle::udp_target
