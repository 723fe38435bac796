#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace trestle::host {

/// How late a thread wakes that sleeps from tick to tick.
struct TimerLatency {
  std::int64_t ticks = 0;
  std::int64_t missed = 0;  ///< of these: whose time came while the one before was late
  Duration p50{};
  Duration p99{};
  Duration p999{};
  Duration max{};
};

/// Exact quantiles by nearest rank; zero if there is nothing.
TimerLatency latency_statistics(std::vector<Duration> late, std::int64_t missed);

struct TimerMeasurement {
  Duration period = Duration(std::chrono::seconds(1)) / 1024;
  Duration length = std::chrono::seconds(3);
  int priority = 0;  ///< SCHED_FIFO; 0: ordinary scheduling
};

/// Sleeps to absolute times on a separate thread, like cyclictest and like a control thread
/// without spin. Lasts `length`. @returns why not, if the priority is refused
Result<TimerLatency> measure_timer(const TimerMeasurement& run);

}  // namespace trestle::host
