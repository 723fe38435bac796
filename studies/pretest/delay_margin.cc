#include "studies/pretest/delay_margin.h"

#include <cmath>

namespace trestle::pretest {

double next_trial_delay(double ticks) noexcept {
  constexpr double kEveryTickUpTo = 16.0;
  constexpr double kStride = 1.0 / 12.0;
  return ticks + (ticks < kEveryTickUpTo ? 1.0 : std::floor(kStride * ticks));
}

DelayMargin delay_margin(const std::function<bool(double)>& unstable_at, double tick,
                         double most) {
  constexpr double kAny = 1.0 / 1024.0;  // [ticks]
  constexpr double kResolution = 1.0 / 256.0;
  if (unstable_at(kAny * tick)) return {};
  double stable = 0.0;
  double unstable = 0.0;
  while (unstable == 0.0) {
    if (stable >= most) return {.delay = stable * tick, .at_least = true};
    const double next = next_trial_delay(stable);
    (unstable_at(next * tick) ? unstable : stable) = next;
  }
  while (unstable - stable > kResolution) {
    const double gap = unstable - stable;
    const double middle = gap > 1.0 ? stable + std::floor(0.5 * gap) : stable + 0.5 * gap;
    (unstable_at(middle * tick) ? unstable : stable) = middle;
  }
  return {.delay = stable * tick, .at_least = false};
}

}  // namespace trestle::pretest
