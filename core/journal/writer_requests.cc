#include "core/journal/writer_requests.h"

#include <time.h>

namespace trestle::journal {

std::uint64_t WriterRequests::request_sync() noexcept {
  const std::uint64_t ticket = sync_asked_.fetch_add(1, std::memory_order_acq_rel) + 1;
  ::sem_post(&wake_);
  return ticket;
}

void WriterRequests::request_stop() noexcept {
  stop_.store(true, std::memory_order_release);
  ::sem_post(&wake_);
}

void WriterRequests::wait_until_written() {
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = ++write_asked_;
  ::sem_post(&wake_);
  written_.wait(lock, [this, mine] { return served_ >= mine; });
}

bool WriterRequests::wait_until(const std::function<bool()>& done, Duration at_most) {
  std::unique_lock lock(mutex_);
  ++write_asked_;
  ::sem_post(&wake_);
  return written_.wait_for(lock, at_most, done);
}

void WriterRequests::wait_for_work(Duration at_most) noexcept {
  timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t at = until.tv_nsec + at_most.count();
  until.tv_sec += at / kSecond;
  until.tv_nsec = at % kSecond;
  ::sem_clockwait(&wake_, CLOCK_MONOTONIC, &until);
  while (::sem_trywait(&wake_) == 0) continue;  // all of them are served at once
}

WriterRequests::Pending WriterRequests::pending() const noexcept {
  return {write_asked_.load(), sync_asked_.load(std::memory_order_acquire)};
}

void WriterRequests::set_served(const Pending& pending) {
  const std::lock_guard lock(mutex_);
  served_ = pending.write;
  written_.notify_all();
}

}  // namespace trestle::journal
