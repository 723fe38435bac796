#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace trestle::bus {

/// The peer of a site that listens: the last caller, until the site keeps one; then
/// others that call have to wait. A caller is known by the routing id of its socket.
/// Nothing here allocates after the constructor.
class ListeningPeer {
 public:
  ListeningPeer();

  /// Empty: nobody has called yet.
  const std::string& id() const noexcept { return caller_; }
  bool locked() const noexcept { return locked_; }

  /// Hears a caller: the peer, or a new one unless one is kept.
  /// @returns true if it is the peer now; false if it has to wait
  bool hear(std::string_view id) noexcept;
  /// Notes a caller that is to be answered between two ticks.
  void let_wait(std::string_view id) noexcept;

  /// Keeps the peer of now, or lets it go: then the last that had to wait is the peer.
  /// @returns false if nothing changed
  bool lock(bool keep) noexcept;

  /// Callers that were not answered yet, the first few of them.
  std::span<const std::string> waiting() const noexcept { return {ids_.data(), count_}; }
  void forget_waiting() noexcept { count_ = 0; }

 private:
  std::string caller_;
  std::string last_;  // called last while another one was kept
  std::array<std::string, 8> ids_;
  std::size_t count_ = 0;
  bool locked_ = false;
};

}  // namespace trestle::bus
