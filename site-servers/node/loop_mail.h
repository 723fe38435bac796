#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/types/fault.h"
#include "core/types/message.h"

namespace trestle {

class LoopErrand;

/// What the bus tells a paced control loop. All times on the site's own clock.
struct LoopOrder {
  enum class Kind {
    kErrand,  ///< `errand`: to be done now, before the run
    kOpen,    ///< the opening read; `first`: the next step
    kStart,   ///< `at`: session time zero; ticks are counted from there
    kStep,    ///< `command`, `received`, and `at`: when its target shall be reached
    kHold,    ///< stay where you are
    kRamp,    ///< to the safe position
    kClock,   ///< `at`: session time zero, as the clocks are compared now
    kSafe,    ///< `fault`: the configured safe action, at once
    kClear,   ///< a person cleared the fault: from where the rig stands
    kResume,  ///< go on: `at` is session time zero from now on, `first` the next step
  };
  Kind kind = Kind::kHold;
  StepCommand command{};
  TimePoint received{};
  TimePoint at{};
  std::int64_t first = 0;
  LoopErrand* errand = nullptr;  ///< until the loop says that it is over
  Fault fault{};
  ActuatorVector drive{};  ///< of kClear: in force, as a person says; empty: nobody did
};

/// What a paced control loop tells the bus.
struct LoopNews {
  enum class Kind {
    kErrandOver,  ///< it was done, or given up: the loop uses it no more
    kOpened,      ///< `response`: what the opening read saw
    kAnswer,      ///< `response`, but for its session and the end's own stamps
    kFault,       ///< `fault`, latched in the loop. Of kUnknownDrive the actuators of
                  ///< `response` say where the rig stands, and the drive given last
    kCleared,     ///< after kClear: the rig was read, and there is no fault
    kRefused,     ///< `fault` of the target of `step`: nothing moved for it
    kMissed,      ///< real-time: `step` was due and had not come; it is never executed
    kLate,        ///< real-time: `step` came after it was due
    kRamped,      ///< at the safe position, or it must stay where it is
  };
  Kind kind = Kind::kAnswer;
  StepResponse response{};
  Fault fault{};
  std::int64_t step = kOpeningStep;
  std::int64_t ticks = 0;  ///< of an answer: drives written so far
  int state = -1;          ///< of an answer: for PacedLoop::take_state(); −1: none
};

}  // namespace trestle
