#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trestle::modbus_tcp {

/// The newest numbers and their stamp, from one writer to readers that never wait: a reader
/// sees whether the writer was in the midst of it (a sequence lock).
template <typename Number, typename Stamp>
class SeqLockNumbers {
 public:
  explicit SeqLockNumbers(std::size_t numbers) : numbers_(numbers) {}

  /// One writer at a time. @param number  called with each index, returns its number
  template <typename Source>
  void publish(Stamp stamp, const Source& number) noexcept {
    const unsigned before = version_.load(std::memory_order_relaxed);
    version_.store(before + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      numbers_[i].store(number(i), std::memory_order_relaxed);
    stamp_.store(stamp, std::memory_order_relaxed);
    version_.store(before + 2, std::memory_order_release);
  }

  /// @param into  called with each index and its number
  /// @returns false if the numbers changed at each of three attempts: they are worthless
  template <typename Into>
  bool read(Stamp& stamp, const Into& into) const noexcept {
    for (int attempt = 0; attempt < 3; ++attempt) {
      const unsigned before = version_.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < numbers_.size(); ++i)
        into(i, numbers_[i].load(std::memory_order_relaxed));
      stamp = stamp_.load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before)
        return true;
    }
    return false;
  }

  std::size_t size() const noexcept { return numbers_.size(); }
  Stamp stamp() const noexcept { return stamp_.load(std::memory_order_acquire); }

 private:
  std::atomic<unsigned> version_{0};
  std::atomic<Stamp> stamp_{};
  std::vector<std::atomic<Number>> numbers_;
};

}  // namespace trestle::modbus_tcp
