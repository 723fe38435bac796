#pragma once

#include "numerical/node/step_schedule.h"

namespace trestle::integrator_node {

/// Continuous: time by a scale. A step takes scale·Δt; where its target comes late for the
/// slowest site, it is due for all a while after that one can have it.
class ContinuousSchedule final : public StepSchedule {
 public:
  using StepSchedule::StepSchedule;

  const PaceRules& rules() const noexcept override {
    return rules_of(ExecutionMode::kContinuous);
  }
  TimePoint zero_at_start(TimePoint now, Duration round_trip) const noexcept override;
  TimePoint zero_at_resume(TimePoint /*now*/, TimePoint zero, std::int64_t /*open*/,
                           Duration /*round_trip*/) const noexcept override {
    return zero;
  }
  /// The next target is due a step from then.
  void resumed(TimePoint at) noexcept override { last_due_ = at; }
  TimePoint due(std::int64_t step, TimePoint at, Duration way) noexcept override;
  TimePoint closes(std::int64_t /*step*/, TimePoint /*zero*/) const noexcept override {
    return TimePoint::max();
  }
  /// A long step is no silence.
  TimePoint silent_from(std::int64_t step, TimePoint zero,
                        TimePoint opened) const noexcept override;

 private:
  TimePoint last_due_{};  // session time of the target sent last
};

}  // namespace trestle::integrator_node
