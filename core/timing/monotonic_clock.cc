#include "core/timing/monotonic_clock.h"

#include <ctime>
#include <thread>

namespace trestle::timing {

TimePoint MonotonicClock::now() const noexcept {
  return TimePoint{
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

/// Only one of the two clocks runs while the host sleeps. With this order of reading, a
/// preemption between the two makes the result smaller, never larger.
Duration MonotonicClock::asleep() const noexcept {
  timespec with{};
  timespec without{};
  if (clock_gettime(CLOCK_BOOTTIME, &with) != 0 ||
      clock_gettime(CLOCK_MONOTONIC, &without) != 0)
    return Duration::zero();
  const auto time = [](const timespec& at) {
    return std::chrono::seconds(at.tv_sec) + Duration{at.tv_nsec};
  };
  return time(with) - time(without);
}

void MonotonicClock::advance_to(TimePoint until) noexcept {
  const Duration left = until - now();
  if (left <= Duration::zero()) return;
  if (transport_ != nullptr)
    transport_->wait(left);
  else
    std::this_thread::sleep_until(steady(until));
}

}  // namespace trestle::timing
