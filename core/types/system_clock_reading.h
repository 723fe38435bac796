#pragma once

#include <chrono>
#include <cmath>

#include "core/base/time.h"

namespace trestle {

/// A node's own clock and its host's system clock at the same moment.
struct SystemClockReading {
  TimePoint own{};
  TimePoint system{};
  Duration bound{};  ///< |system clock − true time|, at most
};

struct SystemClockComparison {
  Duration offset{};  ///< the other's own clock less ours, when `here` was read
  Duration bound{};   ///< of the error: both bounds, and what the clocks drift between the
                      ///< readings
};

/// Two nodes' clocks by way of their hosts' system clocks: no message's delay is in it.
/// @param drift  of an own clock against true time, at most [s/s]
inline SystemClockComparison compare_system_clocks(const SystemClockReading& here,
                                                   const SystemClockReading& there,
                                                   double drift = 200e-6) noexcept {
  const Duration later = there.system - here.system;
  const double grown = drift * std::abs(static_cast<double>(later.count()));
  return {there.own - later - here.own,
          here.bound + there.bound + Duration{std::llround(grown)}};
}

}  // namespace trestle
