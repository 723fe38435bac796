#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::bus {

/// Peers that sent messages and do not belong to the test.
class UnknownPeers {
 public:
  /// A message of theirs was dropped.
  void count() noexcept { ++dropped_; }
  /// Keeps the name of one, printable; only the first few.
  void remember(std::string_view name) noexcept;

  const std::vector<std::string>& names() const noexcept { return names_; }
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  std::vector<std::string> names_;
  std::uint64_t dropped_ = 0;
};

}  // namespace trestle::bus
