#include "numerical/node/real_time_schedule.h"

#include <algorithm>

namespace trestle::integrator_node {

/// Late enough for every site to have read and answered by then.
TimePoint RealTimeSchedule::zero_at_start(TimePoint now,
                                          Duration round_trip) const noexcept {
  return now + 2 * round_trip + settings().time_to_start;
}

// No time has passed: the open step begins again, and the steps in flight are due again.
// The targets are sent again only when all sites have reported that they continue.
TimePoint RealTimeSchedule::zero_at_resume(TimePoint now, TimePoint /*zero*/,
                                           std::int64_t open,
                                           Duration round_trip) const noexcept {
  const Duration lead = std::max(settings().time_to_start, 4 * round_trip) + of_steps(1.0);
  return now + lead - session_time(open).time_since_epoch();
}

TimePoint RealTimeSchedule::closes(std::int64_t step, TimePoint zero) const noexcept {
  const auto end = static_cast<double>(step + 1);
  // The first steps are closed with the answers of the initial measurement, which are in.
  if (step < latency()) return zero + of_steps(end);
  return zero + of_steps(end + settings().deadline * std::max(latency(), 1));
}

TimePoint RealTimeSchedule::silent_from(std::int64_t step, TimePoint zero,
                                        TimePoint opened) const noexcept {
  return std::max(opened, closes(step, zero));
}

}  // namespace trestle::integrator_node
