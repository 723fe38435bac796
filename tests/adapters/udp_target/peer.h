#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace trestle::udp_target {

/// The target's end of a real UDP socket on this host, moved by hand: what the kernel has
/// sent on the loopback is there at once, so that no test waits.
class Peer {
 public:
  Peer() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    bind_to(socket_, 0);
    port_ = port_of(socket_);
  }
  ~Peer() { ::close(socket_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  void call(std::uint16_t port) { site_ = loopback(port); }

  /// The frames that came since the last look, in their order.
  std::vector<std::vector<std::uint8_t>> frames() {
    std::vector<std::vector<std::uint8_t>> frames;
    std::uint8_t bytes[2048];
    for (;;) {
      const ssize_t size = ::recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
      if (size < 0) return frames;
      frames.emplace_back(bytes, bytes + size);
    }
  }
  /// The newest of them; empty: none came.
  std::vector<std::uint8_t> newest() {
    const auto all = frames();
    return all.empty() ? std::vector<std::uint8_t>{} : all.back();
  }
  void send(const std::vector<std::uint8_t>& frame) {
    ASSERT_EQ(::sendto(socket_, frame.data(), frame.size(), 0,
                       reinterpret_cast<const sockaddr*>(&site_), sizeof site_),
              static_cast<ssize_t>(frame.size()));
  }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  static void bind_to(int socket, std::uint16_t port) {
    const sockaddr_in here = loopback(port);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&here), sizeof here), 0);
  }
  static std::uint16_t port_of(int socket) {
    sockaddr_in here{};
    socklen_t length = sizeof here;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &length);
    return ntohs(here.sin_port);
  }

  int socket_;
  std::uint16_t port_ = 0;
  sockaddr_in site_{};
};

}  // namespace trestle::udp_target
