#include "site-servers/node/lockstep_executor.h"

#include <cmath>

namespace trestle::site_node {
namespace {

// Control ticks of the return home, or of a safe action, in one call.
constexpr int kTicksPerCall = 64;

}  // namespace

LockstepExecutor::LockstepExecutor(const LockstepSettings& settings, ControlLoop& loop,
                                   SiteAdapter& rig, const Clock& clock)
    : settings_(settings), loop_(loop), rig_(rig), clock_(clock), ticks_(settings.ticks) {
  // Makes the room that a step needs.
  if (settings_.keeps_state) write_state();
}

Fault LockstepExecutor::open() noexcept {
  return loop_.chain().opened() ? Fault{} : loop_.sense(TimePoint{});
}

bool LockstepExecutor::execute(const StepCommand& command,
                               const StepTimes& times) noexcept {
  event_.step = command.step;
  if (const Fault fault = loop_.accept(command)) {
    tell(loop_.fault() ? LoopEvent::Kind::kFault : LoopEvent::Kind::kRefused, fault);
    return true;
  }
  event_.response.stamps = {times.received, times.started, {}, {}};
  if (const Fault fault = run_step()) {
    tell(LoopEvent::Kind::kFault, fault);
    return true;
  }
  event_.response.stamps.closed = clock_.now();
  loop_.answer(event_.response);
  event_.response.step = command.step;
  event_.response.measured_at = tick_time();
  event_.response.missed = false;
  event_.ticks = ticks_;
  tell(LoopEvent::Kind::kAnswer);
  if (!settings_.keeps_state) return true;
  write_state();
  event_.state = 0;
  return true;
}

void LockstepExecutor::write_state() {
  snapshot_.clear();
  loop_.save(snapshot_);
  if (!settings_.real) rig_.save(snapshot_);
}

Fault LockstepExecutor::run_step() noexcept {
  for (bool first = true; loop_.step_open(); first = false) {
    if (const Fault fault = loop_.act()) return fault;
    if (first) event_.response.stamps.driven = clock_.now();
    ++ticks_;
    if (const Fault fault = loop_.sense(tick_time())) return fault;
  }
  return {};
}

/// A run has neither a beginning in time nor a clock to follow.
bool LockstepExecutor::order(const LoopCommand& command) noexcept {
  switch (command.kind) {
    case LoopCommand::Kind::kHold:
      hold();
      break;
    case LoopCommand::Kind::kRamp:
      ramping_ = true;
      break;
    case LoopCommand::Kind::kRest:
      hold();
      tell(LoopEvent::Kind::kRamped);
      break;
    case LoopCommand::Kind::kSafe:
      ramping_ = false;
      loop_.trigger_safe_action(command.fault);
      break;
    case LoopCommand::Kind::kClear:
      ramping_ = false;
      clear(command);
      break;
    case LoopCommand::Kind::kErrand:
    case LoopCommand::Kind::kEndErrand:
    case LoopCommand::Kind::kWatch:
    case LoopCommand::Kind::kOpen:
    case LoopCommand::Kind::kStart:
    case LoopCommand::Kind::kClock:
    case LoopCommand::Kind::kResume:
      break;
  }
  return true;
}

/// Between two steps a simulated rig does not move, and continues unchanged.
void LockstepExecutor::hold() noexcept {
  ramping_ = false;
  if (settings_.real || loop_.step_open()) loop_.hold();
  if (loop_.safe()) rig_.hold();
}

void LockstepExecutor::clear(const LoopCommand& command) noexcept {
  ticks_ = loop_.ticks();
  loop_.resume_at(command.first - 1, ticks_);
  if (command.drive.size() > 0) loop_.told(command.drive);
  const Fault fault = loop_.sense(tick_time(), /*clears=*/true);
  tell(fault ? LoopEvent::Kind::kFault : LoopEvent::Kind::kCleared, fault);
}

TimePoint LockstepExecutor::tick(TimePoint now) noexcept {
  if (ramping_) {
    ramp();
  } else if (!loop_.safe()) {
    for (int n = 0; n < kTicksPerCall && !loop_.step_safe_action(tick_time()); ++n)
      ++ticks_;
  } else {
    return TimePoint::max();
  }
  return now;
}

void LockstepExecutor::ramp() noexcept {
  for (int n = 0; n < kTicksPerCall; ++n) {
    const bool there = loop_.ramp(tick_time());
    if (const Fault& fault = loop_.fault()) {
      ramping_ = false;
      return tell(LoopEvent::Kind::kFault, fault);
    }
    if (there) {
      ramping_ = false;
      return tell(LoopEvent::Kind::kRamped);
    }
    ++ticks_;
  }
}

bool LockstepExecutor::take_state(int place, std::vector<double>& into) {
  if (place != 0) return false;
  into = snapshot_.values();
  return true;
}

void LockstepExecutor::tell(LoopEvent::Kind kind, const Fault& fault) noexcept {
  event_.kind = kind;
  event_.fault = fault;
  event_.state = -1;
  if (fault.kind == FaultKind::kUnknownDrive)
    loop_.rig().report_drive(event_.response.actuators);
  has_event_ = true;
}

TimePoint LockstepExecutor::tick_time() const noexcept {
  return TimePoint{
      Duration{std::llround(static_cast<double>(ticks_) * settings_.tick * 1e9)}};
}

}  // namespace trestle::site_node
