#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/journal/queue_memory.h"

namespace trestle::journal {

/// Places of an SpscQueue in a QueueMemory: what was inside when its process ended is
/// inside again. Counts the entries that found no room.
template <typename Slot>
class QueuePlaces {
  static_assert(std::is_trivially_copyable_v<Slot>);

 public:
  static std::size_t area_bytes(std::size_t slots) noexcept {
    return QueueMemory::bytes(std::max<std::size_t>(slots, 1) * sizeof(Slot));
  }

  QueuePlaces(std::size_t slots, QueueMemory area)
      : capacity_(std::max<std::size_t>(slots, 1)), area_(std::move(area)) {
    assert(area_.content().size() >= capacity_ * sizeof(Slot));
  }

  std::size_t capacity() const noexcept { return capacity_; }
  Slot& operator[](std::size_t at) const noexcept {
    return reinterpret_cast<Slot*>(area_.content().data())[at];
  }

  std::atomic<std::uint64_t>& pushed() const noexcept { return area_.counters().pushed; }
  std::atomic<std::uint64_t>& popped() const noexcept { return area_.counters().popped; }

  /// The pushing thread.
  void count_lost() noexcept {
    area_.counters().lost.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t lost() const noexcept {
    return area_.counters().lost.load(std::memory_order_relaxed);
  }

 private:
  std::size_t capacity_;
  QueueMemory area_;
};

}  // namespace trestle::journal
