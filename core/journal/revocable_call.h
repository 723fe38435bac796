#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace trestle::journal {

/// A function of an owner that a thread may outlive: after revoke() it is called no more.
class RevocableCall {
 public:
  explicit RevocableCall(std::function<void()> function) : function_(std::move(function)) {}

  void call() {
    const std::lock_guard lock(mutex_);
    if (function_) function_();
  }
  /// Waits for a call that is under way.
  void revoke() {
    const std::lock_guard lock(mutex_);
    function_ = {};
  }

 private:
  std::mutex mutex_;
  std::function<void()> function_;
};

}  // namespace trestle::journal
