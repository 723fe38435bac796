#pragma once

#include "numerical/node/step_schedule.h"

namespace trestle::integrator_node {

/// For modes without a fixed step duration: a step begins when the one before is answered,
/// and only the structure's time counts.
class TimelessSchedule : public StepSchedule {
 public:
  using StepSchedule::StepSchedule;

  TimePoint zero_at_resume(TimePoint /*now*/, TimePoint zero, std::int64_t /*open*/,
                           Duration /*round_trip*/) const noexcept override {
    return zero;
  }
  void resumed(TimePoint /*at*/) noexcept override {}
  TimePoint due(std::int64_t step, TimePoint /*at*/, Duration /*way*/) noexcept override {
    return due_again(step);
  }
  TimePoint closes(std::int64_t /*step*/, TimePoint /*zero*/) const noexcept override {
    return TimePoint::max();
  }
  TimePoint silent_from(std::int64_t /*step*/, TimePoint /*zero*/,
                        TimePoint opened) const noexcept override {
    return opened;
  }
};

}  // namespace trestle::integrator_node
