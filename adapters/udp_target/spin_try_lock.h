#pragma once

#include <atomic>

namespace trestle::udp_target {

/// The keeper thread locks it briefly, and only if no tick came for a while, so a tick
/// waits for it at most once, and never long.
class SpinTryLock {
 public:
  SpinTryLock(std::atomic_flag& taken, int patience) noexcept : taken_(taken) {
    while (!(mine_ = !taken_.test_and_set(std::memory_order_acquire)) && --patience > 0) {
    }
  }
  ~SpinTryLock() {
    if (mine_) taken_.clear(std::memory_order_release);
  }
  SpinTryLock(const SpinTryLock&) = delete;
  SpinTryLock& operator=(const SpinTryLock&) = delete;
  explicit operator bool() const noexcept { return mine_; }

 private:
  std::atomic_flag& taken_;
  bool mine_ = false;
};

/// Looks at whose turn it is that a tick has patience for: some tens of microseconds.
inline constexpr int kPatience = 4096;

}  // namespace trestle::udp_target
