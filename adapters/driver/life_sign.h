#pragma once

#include <linux/futex.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace trestle::driver {

/// A word in shared memory that tells when this process dies: the kernel marks it as the
/// first thing that it does, and wakes who sleeps on it. The end of a connection comes
/// later, after the memory of the process is released. (Robust futex; a thread owns it,
/// which does nothing else.)
class LifeSign {
 public:
  /// @param word  outlives this
  explicit LifeSign(std::atomic<std::uint32_t>& word);
  /// Ends without a sign.
  ~LifeSign();
  LifeSign(const LifeSign&) = delete;
  LifeSign& operator=(const LifeSign&) = delete;

  static bool has_died(std::uint32_t word) noexcept {
    return (word & FUTEX_OWNER_DIED) != 0;
  }

 private:
  void own() noexcept;

  std::atomic<std::uint32_t>& word_;
  // Private memory: the process that shares the word cannot lead the kernel astray.
  robust_list entry_{};
  robust_list_head owned_{};
  std::atomic<std::uint32_t> owns_{0};
  std::atomic<std::uint32_t> leaving_{0};
  std::thread thread_;
};

}  // namespace trestle::driver
