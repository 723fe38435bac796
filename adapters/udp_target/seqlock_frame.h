#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trestle::udp_target {

/// The newest measurement, from one writer to one reader that never waits: the reader sees
/// whether the writer was in the midst of it (a sequence lock).
class SeqLockFrame {
 public:
  explicit SeqLockFrame(std::size_t numbers) : numbers_(numbers) {}

  /// One writer at a time. @param number  called with each index, gives its number
  template <typename Number>
  void publish(std::int64_t taken_at_ns, std::uint64_t status,
               const Number& number) noexcept {
    const unsigned before = version_.load(std::memory_order_relaxed);
    version_.store(before + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      numbers_[i].store(number(i), std::memory_order_relaxed);
    taken_at_ns_.store(taken_at_ns, std::memory_order_relaxed);
    status_.store(status, std::memory_order_relaxed);
    version_.store(before + 2, std::memory_order_release);
  }

  struct Head {
    std::int64_t taken_at_ns = 0;
    std::uint64_t status = 0;
  };
  /// @param into  called with each index and its number
  /// @returns false if the frame changed meanwhile: what was handed over is worthless
  template <typename Into>
  bool read(Head& head, const Into& into) const noexcept {
    const unsigned before = version_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      into(i, numbers_[i].load(std::memory_order_relaxed));
    head = {taken_at_ns_.load(std::memory_order_relaxed),
            status_.load(std::memory_order_relaxed)};
    std::atomic_thread_fence(std::memory_order_acquire);
    return before % 2 == 0 && version_.load(std::memory_order_relaxed) == before;
  }
  std::int64_t taken_at_ns() const noexcept {
    return taken_at_ns_.load(std::memory_order_relaxed);
  }
  std::uint64_t status() const noexcept { return status_.load(std::memory_order_relaxed); }

 private:
  std::atomic<unsigned> version_{0};
  std::atomic<std::int64_t> taken_at_ns_{0};
  std::atomic<std::uint64_t> status_{0};
  std::vector<std::atomic<double>> numbers_;
};

}  // namespace trestle::udp_target
