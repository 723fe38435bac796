#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace trestle {

/// A bounded queue between two threads: one pushes, one takes, neither ever waits or
/// allocates. All room is made in the constructor.
template <typename Entry>
class SpscQueue {
 public:
  explicit SpscQueue(std::size_t entries) : places_(entries < 1 ? 1 : entries) {}

  /// By the one thread that pushes.
  /// @returns false if there is no room
  bool push(const Entry& entry) noexcept {
    Entry* const free = place();
    if (free == nullptr) return false;
    *free = entry;
    publish();
    return true;
  }

  /// By the one thread that pushes: the place of the next entry, which keeps what an entry
  /// before left there; null: there is no room. To be filled, then published.
  Entry* place() noexcept {
    const std::uint64_t at = pushed_.load(std::memory_order_relaxed);
    if (at - popped_.load(std::memory_order_acquire) == places_.size()) return nullptr;
    return &places_[static_cast<std::size_t>(at % places_.size())];
  }
  /// By the one thread that pushes. @pre place() != nullptr
  void publish() noexcept {
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Returns the free capacity, a lower bound. Called by the pushing thread only.
  std::size_t room() const noexcept {
    return places_.size() -
           static_cast<std::size_t>(pushed_.load(std::memory_order_relaxed) -
                                    popped_.load(std::memory_order_acquire));
  }

  /// By the one thread that takes: the oldest entry, or null. Valid until pop().
  const Entry* front() const noexcept { return behind_front(0); }

  /// Returns the entry `places` behind the oldest, or null. Called by the popping thread
  /// only.
  const Entry* behind_front(std::size_t places) const noexcept {
    const std::uint64_t at = popped_.load(std::memory_order_relaxed) + places;
    if (at >= pushed_.load(std::memory_order_acquire)) return nullptr;
    return &places_[static_cast<std::size_t>(at % places_.size())];
  }
  /// The same, for the one thread that takes to write into. Not read by the other one.
  Entry* behind_front(std::size_t places) noexcept {
    return const_cast<Entry*>(std::as_const(*this).behind_front(places));
  }

  /// By the one thread that takes. @pre front() != nullptr
  void pop() noexcept {
    popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// While neither thread uses it.
  void clear() noexcept { popped_.store(pushed_.load()); }

 private:
  static constexpr std::size_t kCacheLine = 64;  // keeps the two out of each other's

  std::vector<Entry> places_;
  alignas(kCacheLine) std::atomic<std::uint64_t> pushed_{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> popped_{0};
};

}  // namespace trestle
