#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trestle {

/// A bounded queue between two threads: one pushes, one takes, neither ever waits or
/// allocates. All room is made in the constructor.
template <typename Entry>
class SpscRing {
 public:
  explicit SpscRing(std::size_t entries) : places_(entries < 1 ? 1 : entries) {}

  /// By the one thread that pushes.
  /// @returns false where there is no room
  bool push(const Entry& entry) noexcept {
    const std::uint64_t at = pushed_.load(std::memory_order_relaxed);
    if (at - popped_.load(std::memory_order_acquire) == places_.size()) return false;
    places_[static_cast<std::size_t>(at % places_.size())] = entry;
    pushed_.store(at + 1, std::memory_order_release);
    return true;
  }

  /// By the one thread that pushes: entries that it has room for, at least.
  std::size_t room() const noexcept {
    return places_.size() -
           static_cast<std::size_t>(pushed_.load(std::memory_order_relaxed) -
                                    popped_.load(std::memory_order_acquire));
  }

  /// By the one thread that takes: the oldest entry, or null. Valid until pop().
  const Entry* front() const noexcept {
    const std::uint64_t at = popped_.load(std::memory_order_relaxed);
    if (at == pushed_.load(std::memory_order_acquire)) return nullptr;
    return &places_[static_cast<std::size_t>(at % places_.size())];
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
