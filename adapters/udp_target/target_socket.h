#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <cstdint>
#include <span>

#include "adapters/udp_target/target_settings.h"

namespace trestle::udp_target {

/// The UDP socket between the site and a real-time target. The kernel drops all datagrams
/// that do not come from the target's address and port.
class TargetSocket {
 public:
  /// @throws std::runtime_error  if an address is unknown or the port is taken
  explicit TargetSocket(const TargetSettings& settings);
  ~TargetSocket();
  TargetSocket(const TargetSocket&) = delete;
  TargetSocket& operator=(const TargetSocket&) = delete;

  /// Returns the port of incoming frames, also of a `listen` with port 0.
  std::uint16_t port() const noexcept;

  /// Sends a frame without waiting, also from a signal handler.
  /// @returns false if the kernel did not take the whole frame
  bool send(std::span<const std::uint8_t> frame) const noexcept;
  /// Receives one datagram without waiting.
  /// @returns its length, even if it is longer than the buffer; -1: see errno
  ssize_t receive(std::span<std::uint8_t> into) const noexcept;
  /// Waits until a datagram has come, or `milliseconds` are over.
  void wait(int milliseconds) const noexcept;

 private:
  const sockaddr_in target_;
  const int socket_;
};

}  // namespace trestle::udp_target
