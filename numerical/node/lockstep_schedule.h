#pragma once

#include "numerical/node/timeless_schedule.h"

namespace trestle::integrator_node {

/// Simulated mode: a step begins when all sites have answered the one before.
class LockstepSchedule final : public TimelessSchedule {
 public:
  using TimelessSchedule::TimelessSchedule;

  const PaceRules& rules() const noexcept override {
    return rules_of(ExecutionMode::kSimulated);
  }
  TimePoint zero_at_start(TimePoint now, Duration /*round_trip*/) const noexcept override {
    return now;
  }
};

}  // namespace trestle::integrator_node
