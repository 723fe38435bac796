#pragma once

#include <cstdint>
#include <vector>

#include "studies/rehearsal/scheduled_fault.h"

namespace trestle::rehearsal {

/// The range from which scenarios are drawn.
struct ScenarioExtent {
  int sites = 1;
  CallCount calls = 1;           ///< of the undisturbed run, > 0
  CallCount calls_of_steps = 1;  ///< of them until its last step, > 0
};

/// The faults of a scenario, in the order in which they begin: one to four of them, drawn
/// by seed and number, at any call of the run; those of its steps are met more often than
/// those of the return home.
std::vector<ScheduledFault> schedule_faults(std::uint64_t seed, std::int64_t scenario,
                                            const ScenarioExtent& shape);

}  // namespace trestle::rehearsal
