#pragma once

#include "numerical/node/timeless_schedule.h"

namespace trestle::integrator_node {

/// Pseudo-dynamic: the slowest site sets the pace. A step takes as long as its ramp, and
/// begins when the one before is answered.
class RampSchedule final : public TimelessSchedule {
 public:
  using TimelessSchedule::TimelessSchedule;

  const PaceRules& rules() const noexcept override {
    return rules_of(ExecutionMode::kPseudoDynamic);
  }
  /// Late enough for every site to have read and answered by then.
  TimePoint zero_at_start(TimePoint now, Duration round_trip) const noexcept override {
    return now + 2 * round_trip + settings().time_to_start;
  }
};

}  // namespace trestle::integrator_node
