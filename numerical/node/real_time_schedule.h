#pragma once

#include "numerical/node/step_schedule.h"

namespace trestle::integrator_node {

/// Real time: target k holds from (k + L)·Δt, step k closes with the answers to step k − L
/// at (k + 1)·Δt and their deadline, and no time passes while the test holds.
class RealTimeSchedule final : public StepSchedule {
 public:
  using StepSchedule::StepSchedule;

  const PaceRules& rules() const noexcept override {
    return rules_of(ExecutionMode::kRealTime);
  }
  TimePoint zero_at_start(TimePoint now, Duration round_trip) const noexcept override;
  TimePoint zero_at_resume(TimePoint now, TimePoint zero, std::int64_t open,
                           Duration round_trip) const noexcept override;
  void resumed(TimePoint /*at*/) noexcept override {}
  TimePoint due(std::int64_t step, TimePoint /*at*/, Duration /*way*/) noexcept override {
    return due_again(step);
  }
  TimePoint closes(std::int64_t step, TimePoint zero) const noexcept override;
  /// A site counts as silent only from this time.
  TimePoint silent_from(std::int64_t step, TimePoint zero,
                        TimePoint opened) const noexcept override;
};

}  // namespace trestle::integrator_node
