#include "numerical/node/continuous_schedule.h"

#include <algorithm>
#include <cmath>

namespace trestle::integrator_node {
namespace {

// A late step's target is due this part of a step after it arrives.
constexpr double kCorrection = 0.4;

Duration nanoseconds(double duration) noexcept {
  return Duration{std::llround(duration * 1e9)};
}

}  // namespace

/// Late enough for every site to have read and answered by then.
TimePoint ContinuousSchedule::zero_at_start(TimePoint now,
                                            Duration round_trip) const noexcept {
  return now + 2 * round_trip + settings().time_to_start;
}

TimePoint ContinuousSchedule::due(std::int64_t /*step*/, TimePoint at,
                                  Duration way) noexcept {
  const double length = settings().time_step * settings().scale;
  const TimePoint soonest = at + way + nanoseconds(kCorrection * length);
  last_due_ = std::max(last_due_ + nanoseconds(length), soonest);
  return last_due_;
}

TimePoint ContinuousSchedule::silent_from(std::int64_t /*step*/, TimePoint zero,
                                          TimePoint opened) const noexcept {
  return std::max(opened, zero + last_due_.time_since_epoch());
}

}  // namespace trestle::integrator_node
