#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace trestle {

/// A person's message to all who take part in a test. It moves nothing and changes nothing.
struct Announcement {
  std::int64_t number = 0;  ///< differs from that of the sender's last one; 0: none
  std::string by{};         ///< user@host
  std::string text{};       ///< one line
  bool operator==(const Announcement&) const = default;
};

/// Of a text [bytes]: with its author it fits in an event. A longer one is refused where it
/// is written, and where it arrives.
inline constexpr std::size_t kLongestAnnouncement = 300;

}  // namespace trestle
