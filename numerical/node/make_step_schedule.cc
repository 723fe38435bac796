#include "numerical/node/make_step_schedule.h"

#include "numerical/node/continuous_schedule.h"
#include "numerical/node/lockstep_schedule.h"
#include "numerical/node/ramp_schedule.h"
#include "numerical/node/real_time_schedule.h"

namespace trestle {

std::unique_ptr<StepSchedule> make_step_schedule(Mode mode,
                                                 const ScheduleSettings& settings) {
  switch (mode) {
    case Mode::kSimulated:
      break;
    case Mode::kPseudoDynamic:
      return std::make_unique<RampSchedule>(settings);
    case Mode::kContinuous:
      return std::make_unique<ContinuousSchedule>(settings);
    case Mode::kRealTime:
      return std::make_unique<RealTimeSchedule>(settings);
  }
  return std::make_unique<LockstepSchedule>(settings);
}

}  // namespace trestle
