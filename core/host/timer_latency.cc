#include "core/host/timer_latency.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/host/realtime_scheduling.h"

namespace trestle::host {
namespace {

using Steady = std::chrono::steady_clock;

struct Wakes {
  std::vector<Duration> late{};
  std::int64_t missed = 0;
};

void tick(const TimerMeasurement& run, Wakes& wakes) noexcept {
  const Steady::time_point begun = Steady::now();
  std::int64_t next = 1;
  for (;;) {
    const Steady::time_point due = begun + next * run.period;
    if (due > begun + run.length || wakes.late.size() == wakes.late.capacity()) return;
    sleep_until(due, Duration::zero());
    Duration late = Steady::now() - due;
    wakes.late.push_back(late);
    // Ticks of the run that were slept through are late too, or a long sleep would count
    // once.
    for (; late >= run.period && (next + 1) * run.period <= run.length; ++next) {
      late -= run.period;
      wakes.late.push_back(late);
      ++wakes.missed;
    }
    ++next;
  }
}

}  // namespace

TimerLatency latency_statistics(std::vector<Duration> late, std::int64_t missed) {
  TimerLatency result;
  result.missed = missed;
  if (late.empty()) return result;
  std::sort(late.begin(), late.end());
  const auto quantile = [&](double fraction) {
    const double rank = std::ceil(fraction * static_cast<double>(late.size()));
    return late[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  };
  result.ticks = static_cast<std::int64_t>(late.size());
  result.p50 = quantile(0.5);
  result.p99 = quantile(0.99);
  result.p999 = quantile(0.999);
  result.max = late.back();
  return result;
}

Result<TimerLatency> measure_timer(const TimerMeasurement& run) {
  Wakes wakes;
  wakes.late.reserve(static_cast<std::size_t>(run.length / run.period) + 1);
  HostRequestError refusal;
  std::thread([&] {
    // If the host refuses tight timers, the measurement uses loose ones, as a run would.
    minimise_timer_slack();
    refusal = set_fifo_priority(run.priority);
    if (!refusal) tick(run, wakes);
  }).join();
  if (refusal) return Error{ErrorCode::kRefused, *refusal};
  return latency_statistics(std::move(wakes.late), wakes.missed);
}

}  // namespace trestle::host
