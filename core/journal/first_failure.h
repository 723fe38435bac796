#pragma once

#include <atomic>
#include <mutex>
#include <string>

namespace trestle::journal {

/// The first thing that went wrong, told by any thread and read by any other.
class FirstFailure {
 public:
  /// @returns whether it is the first
  bool set(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    if (failed_.load(std::memory_order_relaxed)) return false;
    sentence_ = sentence;
    failed_.store(true, std::memory_order_release);
    return true;
  }

  /// What a person has to know rather than the first one. @pre set() was called
  void replace(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentence_ = sentence;
  }

  /// Cheap: to be asked at every step.
  explicit operator bool() const noexcept {
    return failed_.load(std::memory_order_acquire);
  }

  std::string sentence() const {
    const std::lock_guard lock(mutex_);
    return sentence_;
  }

 private:
  mutable std::mutex mutex_;
  std::string sentence_;
  std::atomic<bool> failed_{false};
};

}  // namespace trestle::journal
