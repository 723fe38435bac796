#pragma once

#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/base/time.h"

namespace trestle::journal {

/// What a node's threads ask of the thread that writes their journal: to write at once, to
/// make all survive power loss, to stop.
class WriterRequests {
 public:
  /// What had been asked for when the writing thread looked.
  struct Pending {
    std::uint64_t write = 0;
    std::uint64_t sync = 0;
  };

  WriterRequests() noexcept { ::sem_init(&wake_, 0, 0); }
  ~WriterRequests() { ::sem_destroy(&wake_); }
  WriterRequests(const WriterRequests&) = delete;
  WriterRequests& operator=(const WriterRequests&) = delete;

  /// Neither waits nor allocates. @returns a ticket for is_durable()
  std::uint64_t request_sync() noexcept;
  bool is_durable(std::uint64_t ticket) const noexcept {
    return synced_.load(std::memory_order_acquire) >= ticket;
  }
  void request_stop() noexcept;
  bool stopped() const noexcept { return stop_.load(std::memory_order_acquire); }

  /// Asks for a transaction and waits until it is over.
  void wait_until_written();
  /// Asks for a transaction and waits until `done` holds after one, or `at_most` has
  /// passed.
  /// @returns what `done` says last
  bool wait_until(const std::function<bool()>& done, Duration at_most);

  // By the writing thread:

  /// Until it is woken, or `at_most` has passed.
  void wait_for_work(Duration at_most) noexcept;
  Pending pending() const noexcept;
  bool wants_write(const Pending& pending) const noexcept {
    return pending.write != served_;
  }
  bool wants_sync(const Pending& pending) const noexcept {
    return pending.sync > synced_.load(std::memory_order_relaxed);
  }
  void set_synced(std::uint64_t sync) noexcept {
    synced_.store(sync, std::memory_order_release);
  }
  void set_served(const Pending& pending);

 private:
  std::atomic<std::uint64_t> sync_asked_{0};
  std::atomic<std::uint64_t> synced_{0};
  std::atomic<bool> stop_{false};
  sem_t wake_{};

  std::mutex mutex_;  // for what follows
  std::condition_variable written_;
  std::atomic<std::uint64_t> write_asked_{0};
  std::uint64_t served_ = 0;
};

}  // namespace trestle::journal
