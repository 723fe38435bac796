#pragma once

#include <memory>

#include "core/types/execution_mode.h"
#include "numerical/node/step_schedule.h"

namespace trestle::integrator_node {

/// The one place of the integrator that knows the modes by name.
std::unique_ptr<StepSchedule> make_step_schedule(ExecutionMode mode,
                                                 const ScheduleSettings& settings);

}  // namespace trestle::integrator_node
