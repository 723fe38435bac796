#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace trestle {

/// Places of a queue between two threads of one process: on the heap, made once.
template <typename Entry>
class HeapPlaces {
 public:
  explicit HeapPlaces(std::size_t entries) : places_(entries < 1 ? 1 : entries) {}

  std::size_t capacity() const noexcept { return places_.size(); }
  Entry& operator[](std::size_t at) noexcept { return places_[at]; }
  const Entry& operator[](std::size_t at) const noexcept { return places_[at]; }

  std::atomic<std::uint64_t>& pushed() noexcept { return pushed_; }
  const std::atomic<std::uint64_t>& pushed() const noexcept { return pushed_; }
  std::atomic<std::uint64_t>& popped() noexcept { return popped_; }
  const std::atomic<std::uint64_t>& popped() const noexcept { return popped_; }

 private:
  static constexpr std::size_t kCacheLine = 64;  // keeps the two out of each other's

  std::vector<Entry> places_;
  alignas(kCacheLine) std::atomic<std::uint64_t> pushed_{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> popped_{0};
};

/// A bounded queue between two threads: one pushes, one takes, neither ever waits or
/// allocates. All room is made in the constructor. Every pushed entry is complete, even if
/// a process is killed while it pushes.
/// @tparam Places  capacity(), operator[], and the totals pushed() and popped(), which are
///                 zero, or what a process before left behind
template <typename Entry, typename Places = HeapPlaces<Entry>>
class SpscQueue {
 public:
  explicit SpscQueue(std::size_t entries) : places_(entries) {}
  explicit SpscQueue(Places places) : places_(std::move(places)) {}

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
    const std::uint64_t at = places_.pushed().load(std::memory_order_relaxed);
    if (at - places_.popped().load(std::memory_order_acquire) >= places_.capacity())
      return nullptr;
    return &places_[static_cast<std::size_t>(at % places_.capacity())];
  }
  /// By the one thread that pushes. @pre place() != nullptr
  void publish() noexcept {
    places_.pushed().store(places_.pushed().load(std::memory_order_relaxed) + 1,
                           std::memory_order_release);
  }

  /// Returns the free capacity, a lower bound. Called by the pushing thread only.
  std::size_t room() const noexcept {
    return places_.capacity() -
           static_cast<std::size_t>(places_.pushed().load(std::memory_order_relaxed) -
                                    places_.popped().load(std::memory_order_acquire));
  }

  /// By the one thread that takes: the oldest entry, or null. Valid until pop().
  const Entry* front() const noexcept { return behind_front(0); }

  /// Returns the entry `places` behind the oldest, or null. Called by the popping thread
  /// only.
  const Entry* behind_front(std::size_t places) const noexcept {
    const std::uint64_t at = places_.popped().load(std::memory_order_relaxed) + places;
    if (at >= places_.pushed().load(std::memory_order_acquire)) return nullptr;
    return &places_[static_cast<std::size_t>(at % places_.capacity())];
  }
  /// The same, for the one thread that takes to write into. Not read by the other one.
  Entry* behind_front(std::size_t places) noexcept {
    return const_cast<Entry*>(std::as_const(*this).behind_front(places));
  }

  /// By the one thread that takes. @pre there are as many entries
  void pop(std::size_t count = 1) noexcept {
    places_.popped().store(places_.popped().load(std::memory_order_relaxed) + count,
                           std::memory_order_release);
  }

  /// Entries inside; the other thread may have changed that already.
  std::size_t size() const noexcept {
    const std::uint64_t popped = places_.popped().load(std::memory_order_acquire);
    return static_cast<std::size_t>(places_.pushed().load(std::memory_order_acquire) -
                                    popped);
  }
  std::size_t capacity() const noexcept { return places_.capacity(); }

  Places& places() noexcept { return places_; }
  const Places& places() const noexcept { return places_; }

  /// While neither thread uses it.
  void clear() noexcept { places_.popped().store(places_.pushed().load()); }

 private:
  Places places_;
};

}  // namespace trestle
