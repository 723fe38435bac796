#pragma once

#include <cmath>

#include "core/base/random.h"
#include "core/base/time.h"

namespace trestle::network {

/// To the nearest nanosecond.
inline Duration scaled(Duration duration, double factor) noexcept {
  return Duration{std::llround(static_cast<double>(duration.count()) * factor)};
}

/// Exponentially distributed, at most 37 times the mean (a uniform number has 53 bits).
inline Duration exponential(Duration mean, const RandomKey& place) noexcept {
  return scaled(mean, -std::log1p(-uniform(place)));
}

}  // namespace trestle::network
