#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/journal/journal_event.h"
#include "core/types/time.h"

namespace trestle {

/// Events on their way from a node's thread to the journal's. One thread pushes, one takes;
/// neither waits, and pushing leaves the heap alone: what is longer than its place is cut.
class EventQueue {
 public:
  static constexpr std::size_t kLongestName = 63;   ///< of node and kind [bytes]
  static constexpr std::size_t kLongestText = 511;  ///< [bytes]

  explicit EventQueue(std::size_t events);

  /// @returns false where there was no room; it is counted
  bool push(TimePoint time, std::string_view node, std::string_view kind,
            std::string_view text) noexcept;

  /// Events inside.
  std::size_t size() const noexcept;

  /// @pre at < size(); 0 is the oldest
  JournalEvent event(std::size_t at) const;

  /// @pre count <= size()
  void pop(std::size_t count) noexcept;

  /// Events that found no room.
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  template <std::size_t kLongest>
  struct Text {
    std::array<char, kLongest> characters{};
    std::size_t length = 0;

    void assign(std::string_view text) noexcept;
    std::string_view view() const noexcept { return {characters.data(), length}; }
  };

  struct Slot {
    TimePoint time{};
    Text<kLongestName> node;
    Text<kLongestName> kind;
    Text<kLongestText> text;
  };

  std::vector<Slot> slots_;
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> popped_{0};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace trestle
