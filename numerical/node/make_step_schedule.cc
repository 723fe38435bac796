#include "numerical/node/make_step_schedule.h"

#include "numerical/node/continuous_schedule.h"
#include "numerical/node/lockstep_schedule.h"
#include "numerical/node/ramp_schedule.h"
#include "numerical/node/real_time_schedule.h"

namespace trestle::integrator_node {

std::unique_ptr<StepSchedule> make_step_schedule(ExecutionMode mode,
                                                 const ScheduleSettings& settings) {
  switch (mode) {
    case ExecutionMode::kSimulated:
      break;
    case ExecutionMode::kPseudoDynamic:
      return std::make_unique<RampSchedule>(settings);
    case ExecutionMode::kContinuous:
      return std::make_unique<ContinuousSchedule>(settings);
    case ExecutionMode::kRealTime:
      return std::make_unique<RealTimeSchedule>(settings);
  }
  return std::make_unique<LockstepSchedule>(settings);
}

}  // namespace trestle::integrator_node
