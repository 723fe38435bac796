#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/types/fault.h"
#include "core/types/message.h"

namespace trestle::site_node {

class LoopErrand;

/// A command of the node to a timed control loop, other than a step. All times are on the
/// site's own clock.
struct LoopCommand {
  enum class Kind {
    kErrand,     ///< `errand`: to be done now, before the run
    kEndErrand,  ///< the errand is over; the rig stays as it is
    kWatch,      ///< armed: the rig is read from now on, also while no tick is due
    kOpen,       ///< the initial measurement; `first`: the next step
    kStart,      ///< `at`: session time zero; ticks are counted from there
    kHold,       ///< stay at the present position
    kRamp,       ///< to the safe position
    kRest,       ///< the end of a test that has moved nothing: as kHold; told as kRamp is
    kClock,      ///< `at`: session time zero, as the clocks are compared now
    kSafe,       ///< `fault`: the configured safe action, at once
    kClear,      ///< a person cleared the fault: from where the rig stands
    kResume,     ///< continue: `at` is session time zero from now on, `first` the next step
  };
  std::uint64_t sequence = 0;  ///< among all commands and steps: LoopMailbox sets it
  Kind kind = Kind::kHold;
  TimePoint at{};
  std::int64_t first = 0;
  LoopErrand* errand = nullptr;  ///< until the loop says that it is over
  Fault fault{};
  ActuatorVector drive{};  ///< of kClear: in force, as a person states; empty: not stated
};

/// When a step came to the site; all on its own clock.
struct StepTimes {
  TimePoint received{};
  TimePoint started{};  ///< the node began to serve it
  TimePoint due{};      ///< its target shall be reached
};

/// A step on its way to the control thread.
struct StepCommandItem {
  std::uint64_t sequence = 0;  ///< as LoopCommand
  StepCommand command{};
  StepTimes times{};
  bool dropped = false;  ///< came while nothing ran: never executed
};

/// An event that a timed control loop reports to the node.
struct LoopEvent {
  enum class Kind {
    kErrandOver,  ///< it was done, or given up: the loop uses it no more
    kOpened,      ///< `response`: what the initial measurement saw
    kAnswer,      ///< `response`, but for its session and the end's own stamps
    kFault,       ///< `fault`, latched in the loop. Of kUnknownDrive the actuators of
                  ///< `response` say where the rig stands, and the drive given last
    kCleared,     ///< after kClear: the rig was read, and there is no fault
    kRefused,     ///< `fault` of the target of `step`: nothing moved for it
    kMissed,      ///< real-time: `step` was due and had not come (it may be due again)
    kLate,        ///< real-time: `step` came after it was due
    kRamped,      ///< at the safe position, or it must stay where it is
  };
  Kind kind = Kind::kAnswer;
  StepResponse response{};
  Fault fault{};
  std::int64_t step = kInitialStep;
  std::int64_t ticks = 0;  ///< of an answer: drives written so far
  int state = -1;          ///< of an answer: for LoopMailbox::states(); −1: none
};

}  // namespace trestle::site_node
