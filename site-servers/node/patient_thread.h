#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "core/base/time.h"
#include "core/host/quiet_thread.h"

namespace trestle::site_node {

/// A thread with a limited join: one that hangs in foreign code must not keep others from
/// ending.
class PatientThread {
 public:
  PatientThread() = default;
  ~PatientThread() { let_go(); }
  PatientThread(const PatientThread&) = delete;
  PatientThread& operator=(const PatientThread&) = delete;

  /// @pre none runs
  template <typename Work>
  void begin(Work work) {
    done_ = std::make_shared<std::atomic<bool>>(false);
    thread_ = host::quiet_thread([work = std::move(work), done = done_] {
      work();
      done->store(true, std::memory_order_release);
    });
  }
  bool runs() const noexcept { return thread_.joinable(); }

  /// @returns false if it has not ended by then: it still uses what it was given
  bool join(Duration at_most) noexcept;

 private:
  /// Detaches the thread, which may hang for any time.
  void let_go() noexcept {
    if (thread_.joinable()) thread_.detach();
  }

  std::thread thread_;
  std::shared_ptr<std::atomic<bool>> done_;
};

}  // namespace trestle::site_node
