#include "core/timing/wall_clock.h"

#include <thread>

namespace trestle {

TimePoint WallClock::now() const noexcept {
  return TimePoint{
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

void WallClock::pass(TimePoint until) noexcept {
  const Duration left = until - now();
  if (left <= Duration::zero()) return;
  if (transport_ != nullptr)
    transport_->wait(left);
  else
    std::this_thread::sleep_until(steady(until));
}

}  // namespace trestle
