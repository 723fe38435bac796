#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/types/limits.h"

namespace trestle::checks {

/// From rest to rest over a distance, s(t) = 10 t³ − 15 t⁴ + 6 t⁵: no jump of velocity or
/// acceleration (Flash and Hogan 1985, minimum jerk). Its peak rate is 15/8 of the mean,
/// its peak acceleration 10/√3 of distance over time squared.
class MinimumJerkProfile {
 public:
  MinimumJerkProfile() = default;

  /// Rate and acceleration stay at half of the limits or below.
  /// @param distance  magnitude [m | rad]
  /// @param shortest  slower where the limits ask for it [s]
  MinimumJerkProfile(double distance, const ActuatorLimits& limits, double tick,
                     double shortest) {
    constexpr double kShare = 0.5, kFewestTicks = 8.0, kMostTicks = 1e9;
    const double by_rate = 15.0 / 8.0 * distance / (kShare * limits.rate);
    const double by_acceleration =
        std::sqrt(10.0 / std::sqrt(3.0) * distance / (kShare * limits.acceleration));
    const double duration = std::max({shortest, by_rate, by_acceleration});
    ticks_ = static_cast<std::int64_t>(
        std::clamp(std::ceil(duration / tick), kFewestTicks, kMostTicks));
  }

  std::int64_t ticks() const noexcept { return ticks_; }

  /// Returns the covered part of the path after `tick` ticks, 0 to 1.
  double part(std::int64_t tick) const noexcept {
    if (tick >= ticks_) return 1.0;
    const double t = static_cast<double>(tick) / static_cast<double>(ticks_);
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
  }

 private:
  std::int64_t ticks_ = 1;
};

}  // namespace trestle::checks
