#include "virtual-lab/stability/delay_margin.h"

#include <algorithm>
#include <cmath>

namespace trestle {

DelayMargin delay_margin(const std::function<bool(double)>& unstable_at, double tick,
                         double most) {
  constexpr double kAny = 1.0 / 1024.0;  // [ticks]
  constexpr double kEveryTickUpTo = 16.0;
  constexpr double kStride = 1.0 / 12.0;
  constexpr double kResolution = 1.0 / 256.0;
  if (unstable_at(kAny * tick)) return {};
  const double last = std::floor(most / tick + 1e-9);
  double stable = 0.0;
  double unstable = 0.0;
  while (unstable == 0.0) {
    if (stable >= last) return {.delay = stable * tick, .at_least = true};
    const double stride = stable < kEveryTickUpTo ? 1.0 : std::floor(kStride * stable);
    const double next = std::min(last, stable + stride);
    (unstable_at(next * tick) ? unstable : stable) = next;
  }
  while (unstable - stable > kResolution) {
    const double gap = unstable - stable;
    const double middle = gap > 1.0 ? stable + std::floor(0.5 * gap) : stable + 0.5 * gap;
    (unstable_at(middle * tick) ? unstable : stable) = middle;
  }
  return {.delay = stable * tick, .at_least = false};
}

}  // namespace trestle
