#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "core/journal/queue_memory.h"

namespace trestle::journal {

/// A queue of fixed-size slots from one thread to one other; neither waits. Every counted
/// slot is complete, even if either process is killed.
template <typename Slot>
class SlotQueue {
  static_assert(std::is_trivially_copyable_v<Slot>);

 public:
  static std::size_t area_bytes(std::size_t slots) noexcept {
    return QueueMemory::bytes(std::max<std::size_t>(slots, 1) * sizeof(Slot));
  }

  SlotQueue(std::size_t slots, QueueMemory area)
      : capacity_(std::max<std::size_t>(slots, 1)), area_(std::move(area)) {
    assert(area_.content().size() >= capacity_ * sizeof(Slot));
  }

  /// The pushing thread: a place to fill before publish(); null if there is no room,
  /// which is counted.
  Slot* next() noexcept {
    RingCounters& counters = area_.counters();
    const std::uint64_t at = counters.pushed.load(std::memory_order_relaxed);
    if (at - counters.popped.load(std::memory_order_acquire) >= capacity_) {
      counters.lost.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    return place(at);
  }
  void publish() noexcept {
    RingCounters& counters = area_.counters();
    counters.pushed.store(counters.pushed.load(std::memory_order_relaxed) + 1,
                          std::memory_order_release);
  }

  /// The taking thread. @pre at < size(); 0 is the oldest
  const Slot& slot(std::size_t at) const noexcept {
    assert(at < size());
    return *place(area_.counters().popped.load(std::memory_order_relaxed) + at);
  }
  /// @pre count <= size()
  void pop(std::size_t count) noexcept {
    assert(count <= size());
    RingCounters& counters = area_.counters();
    counters.popped.store(counters.popped.load(std::memory_order_relaxed) + count,
                          std::memory_order_release);
  }

  std::size_t size() const noexcept {
    const std::uint64_t popped = area_.counters().popped.load(std::memory_order_acquire);
    return static_cast<std::size_t>(
        area_.counters().pushed.load(std::memory_order_acquire) - popped);
  }
  std::size_t capacity() const noexcept { return capacity_; }
  std::uint64_t lost() const noexcept {
    return area_.counters().lost.load(std::memory_order_relaxed);
  }

 private:
  Slot* place(std::uint64_t at) const noexcept {
    return reinterpret_cast<Slot*>(area_.content().data()) + at % capacity_;
  }

  std::size_t capacity_;
  QueueMemory area_;
};

}  // namespace trestle::journal
