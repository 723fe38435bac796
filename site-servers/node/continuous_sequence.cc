#include "site-servers/node/continuous_sequence.h"

#include <algorithm>
#include <cmath>

#include "site-servers/node/step_run.h"

namespace trestle::site_node {
namespace {

// A target further away than this is nonsense, and could not be reckoned with.
constexpr Duration kFarthestTarget = std::chrono::hours(1);
constexpr double kMostTicks = 1e8;

}  // namespace

Fault ContinuousSequence::tick(TimePoint now) noexcept {
  StepRun& run = parts_.run;
  if (!run.has_read(parts_.real_equipment))
    if (const Fault fault = run.sense()) return fault;
  if (run.is_over()) {
    run.answer(TimePoint{now - parts_.grid.zero()});
    if (run.cut_after_read()) return {};
  }
  if (!run.is_open())
    if (const StepCommandItem* const step = run.next()) {
      const TimePoint due =
          std::clamp(step->times.due, now - kFarthestTarget, now + kFarthestTarget);
      const double left = seconds(due - now) / parts_.grid.tick();
      run.open(static_cast<int>(std::lround(std::clamp(left, 0.0, kMostTicks))));
    }
  if (const Fault fault = run.act()) return fault;
  if (run.is_open()) return {};
  const trajectory::TrajectoryPhase phase = motion_.phase();
  if (phase == trajectory::TrajectoryPhase::kSlowing) ++run.counts().slowed;
  if (phase == trajectory::TrajectoryPhase::kHolding) ++run.counts().held;
  return {};
}

bool ContinuousSequence::hold(bool /*running*/) noexcept {
  parts_.loop.hold();
  return false;
}

void ContinuousSequence::resume(std::int64_t /*first*/, TimePoint now) noexcept {
  parts_.grid.not_before(now);
}

void ContinuousSequence::place_next_tick(TimePoint now) noexcept {
  parts_.grid.give_way(now);
}

TimePoint ContinuousSequence::response_expected_at() const noexcept {
  return parts_.run.expected_end();
}

}  // namespace trestle::site_node
