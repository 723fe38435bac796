#include "core/timing/wall_clock.h"

namespace trestle {

TimePoint WallClock::now() const noexcept {
  return TimePoint{
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

void WallClock::pass(TimePoint until) noexcept {
  const Duration left = until - now();
  if (left > Duration::zero()) transport_.wait(left);
}

}  // namespace trestle
