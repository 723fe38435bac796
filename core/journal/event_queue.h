#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/spsc_queue.h"
#include "core/base/time.h"
#include "core/journal/fixed_text.h"
#include "core/journal/journal_event.h"
#include "core/journal/queue_places.h"

namespace trestle::journal {

/// Events on their way from a node's thread to the journal's. One thread pushes, one takes;
/// neither waits, and pushing leaves the heap alone: what is longer than its place is cut.
class EventQueue {
 public:
  static constexpr std::size_t kLongestName = 63;   ///< of node and kind [bytes]
  static constexpr std::size_t kLongestText = 511;  ///< [bytes]

  static std::size_t area_bytes(std::size_t events) noexcept {
    return QueuePlaces<Slot>::area_bytes(events);
  }

  explicit EventQueue(std::size_t events)
      : EventQueue(events, QueueMemory(std::max<std::size_t>(events, 1) * sizeof(Slot))) {}
  /// @param last  number of the newest event that the journal holds
  EventQueue(std::size_t events, QueueMemory area, std::int64_t last = 0)
      : slots_(QueuePlaces<Slot>(events, std::move(area))), last_(last) {}

  /// @returns false if there was no room; it is counted
  bool push(TimePoint time, std::string_view node, std::string_view kind,
            std::string_view text) noexcept;

  /// Events inside.
  std::size_t size() const noexcept { return slots_.size(); }

  /// @pre at < size(); 0 is the oldest
  JournalEvent event(std::size_t at) const;
  /// Its number in the journal; they count up.
  std::int64_t number(std::size_t at) const noexcept {
    return slots_.behind_front(at)->number;
  }

  /// @pre count <= size()
  void pop(std::size_t count) noexcept { slots_.pop(count); }

  std::size_t capacity() const noexcept { return slots_.capacity(); }
  /// Events that can be pushed now. The pushing thread.
  std::size_t room() const noexcept { return slots_.room(); }
  /// Events that found no room.
  std::uint64_t lost() const noexcept { return slots_.places().lost(); }

 private:
  struct Slot {
    std::int64_t number = 0;
    TimePoint time{};
    FixedText<kLongestName> node;
    FixedText<kLongestName> kind;
    FixedText<kLongestText> text;
  };

  SpscQueue<Slot, QueuePlaces<Slot>> slots_;
  std::int64_t last_;
};

}  // namespace trestle::journal
