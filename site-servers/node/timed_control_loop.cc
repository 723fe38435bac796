#include "site-servers/node/timed_control_loop.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace trestle::site_node {
namespace {

// Times further away than this are nonsense, and could not be reckoned with: of the clocks'
// comparison, and of the beginning of a run.
constexpr Duration kFarthestClock = std::chrono::hours(1);
constexpr Duration kLongestRun = std::chrono::hours(1000);
// A shorter sleep of the host does not count: the two clocks are not read at the same time.
constexpr Duration kAsleep = std::chrono::milliseconds(50);

constexpr TimePoint near(TimePoint time, TimePoint middle,
                         Duration farthest = kFarthestClock) noexcept {
  return std::clamp(time, middle - farthest, middle + farthest);
}

}  // namespace

TimedControlLoop::TimedControlLoop(const TimedLoopSettings& settings, ControlLoop& loop,
                                   const MakeSequence& make_sequence, const Clock& clock)
    : settings_(settings),
      loop_(loop),
      clock_(clock),
      grid_(settings.tick),
      run_(loop, mailbox_, grid_, clock,
           {.keeps = settings.keeps_state, .rig = settings.rig}),
      sequence_(make_sequence({loop, grid_, run_, settings.idle_ticks})),
      overruns_(settings.overrun, settings.most_overruns),
      slept_(clock.asleep()) {
  assert(settings.tick > 0.0);
}

TimePoint TimedControlLoop::tick(TimePoint now) noexcept {
  if (settings_.guard != nullptr) settings_.guard->cycle_begins(now);
  const TimePoint due = do_what_is_due(now);
  // Only now: it has returned from the rig, whatever command came.
  const bool rests = state_ == State::kHolding || state_ == State::kIdle;
  // Equipment that does not answer may be gone, and with it what it was told.
  mailbox_.set_motion(rests && held_ && loop_.rig().state().answers,
                      state_ == State::kSafeAction);
  // A tick of an errand that is late is only later: of those the rig's functions are
  // watched.
  const bool by_time = !waits() && state_ != State::kErrand;
  if (settings_.guard != nullptr)
    settings_.guard->cycle_done(by_time ? due : TimePoint::max());
  return due;
}

TimePoint TimedControlLoop::do_what_is_due(TimePoint now) noexcept {
  look_for_sleep();
  take_arrivals(now);
  if (state_ == State::kErrand) tick_errand(now);
  check_watchdog(now);
  if (waits()) {
    look_at_rest(now);
  } else {
    if (now < grid_.next() || state_ == State::kErrand) return grid_.next();
    run(now);
    if (run_.is_cut()) return now;
  }
  mailbox_.expect_response(response_expected_at());
  if (!waits()) return grid_.next();
  return watches() ? next_look_ : TimePoint::max();
}

/// Before any drive after it: the position of the rig meanwhile is unknown. The start
/// checks drive it, too.
void TimedControlLoop::look_for_sleep() noexcept {
  const Duration slept = clock_.asleep();
  const Duration now = slept - slept_;
  slept_ = std::max(slept_, slept);
  const bool driven = state_ == State::kRunning || state_ == State::kRamping ||
                      (state_ == State::kErrand && errand_->drives());
  if (now < kAsleep || !driven) return;
  trip(loop_.trigger_safe_action({FaultKind::kSuspended, -1, seconds(now), 0.0}));
}

void TimedControlLoop::check_watchdog(TimePoint now) noexcept {
  if (state_ != State::kRunning || now - mailbox_.heard_at() < settings_.watchdog) return;
  if (settings_.leaves_on_silence)
    trip(loop_.trigger_safe_action({FaultKind::kPeerSilent, -1, seconds(settings_.watchdog),
                                    seconds(settings_.watchdog)}));
  else
    hold();
  mailbox_.expire_watchdog();
}

/// Until the next order there is nothing to tick for.
bool TimedControlLoop::waits() const noexcept {
  if (state_ == State::kIdle) return true;
  if (settings_.idle_ticks) return false;
  return state_ == State::kHolding || (state_ == State::kRunning && sequence_->is_idle());
}

/// Nothing is due, and the rig is read all the same.
bool TimedControlLoop::watches() const noexcept {
  return settings_.idle_ticks && watches_ && state_ == State::kIdle &&
         !asks_for_release(fault_);
}

/// Reads that are late are only later. A rig that has stalled is not called.
void TimedControlLoop::look_at_rest(TimePoint now) noexcept {
  if (!watches() || now < next_look_) return;
  const Duration tick = grid_.ticks(1);
  next_look_ = (now > next_look_ + tick ? now : next_look_) + tick;
  if (settings_.guard != nullptr && settings_.guard->stalled()) return forget_readings();
  const Fault active = loop_.look(now);
  if (!active) return;
  if (!fault_) return trip(loop_.trigger_safe_action(active));
  // The rig holds already: a release is all that can be added to that.
  if (asks_for_release(active)) heed(active);
}

/// With a latched fault: what a stronger interlock asks for is added to what was done.
void TimedControlLoop::heed(const Fault& active) noexcept {
  if (!is_stronger(active, fault_)) return;
  fault_ = active;
  if (asks_for_release(fault_)) forget_readings();
  run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
}

/// Nothing reads the rig for a while: what it read is not what it reads.
void TimedControlLoop::forget_readings() noexcept {
  if (LoopHealth* const health = loop_.rig().health()) health->forget();
}

void TimedControlLoop::take_arrivals(TimePoint now) noexcept {
  for (;;) {
    const LoopMailbox::Arrival arrival = mailbox_.next_arrival();
    if (arrival.step) {
      take_step(now);
    } else if (arrival.command != nullptr) {
      take(*arrival.command, now);
      mailbox_.pop_command();
    } else {
      return;
    }
  }
}

void TimedControlLoop::take_step(TimePoint now) noexcept {
  if (state_ != State::kRunning) return mailbox_.drop_step();
  // If no tick came meanwhile, the grid starts again.
  if (waits()) grid_.not_before(now);
  mailbox_.queue_step();
}

void TimedControlLoop::take(const LoopCommand& command, TimePoint now) noexcept {
  next_look_ = now + grid_.ticks(1);  // it may read the rig, and a tick reads it once
  switch (command.kind) {
    case LoopCommand::Kind::kErrand:
      if (fault_) {  // which the node does not know yet: nothing moves behind it
        run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
        return run_.tell(LoopEvent::Kind::kErrandOver, run_.number());
      }
      grid_.set_next(now);
      errand_ticks_ = 0;
      watches_ = false;
      held_ = false;
      stop_motion(State::kErrand);
      errand_ = command.errand;
      return;
    case LoopCommand::Kind::kEndErrand:
      if (state_ == State::kErrand) stop_motion(State::kIdle);
      return;
    case LoopCommand::Kind::kWatch:
      watches_ = true;
      return;
    case LoopCommand::Kind::kOpen:
      return open(command);
    case LoopCommand::Kind::kStart:
      grid_.start(near(command.at, now));
      if (!fault_) state_ = State::kRunning;
      held_ = held_ && fault_;
      return;
    case LoopCommand::Kind::kHold:
      return hold();
    case LoopCommand::Kind::kRamp:
      // Only a person may move a rig that tripped.
      if (fault_) return run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
      // Held, it may have been moved by its own means.
      if (settings_.idle_ticks && state_ == State::kIdle && loop_.chain().opened())
        if (const Fault fault = run_.sense()) return trip(fault);
      if (settings_.idle_ticks && state_ != State::kRunning)
        if (const Fault unknown = loop_.look_again()) return trip(unknown);
      grid_.not_before(now);
      held_ = false;
      return stop_motion(State::kRamping);
    case LoopCommand::Kind::kRest:
      if (fault_) return run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
      hold();
      return run_.tell(LoopEvent::Kind::kRamped, run_.number());
    case LoopCommand::Kind::kClock:
      return grid_.follow(near(command.at, grid_.zero()));
    case LoopCommand::Kind::kSafe:
      if (!fault_) trip(loop_.trigger_safe_action(command.fault));
      return;
    case LoopCommand::Kind::kClear:
      return clear(command);
    case LoopCommand::Kind::kResume:
      return resume(command, now);
  }
}

/// Ticks that came too late are not made up for: the rig would move faster than its limits.
void TimedControlLoop::tick_errand(TimePoint now) noexcept {
  if (now < grid_.next()) return;
  const Duration tick = grid_.ticks(1);
  grid_.set_next((now > grid_.next() + tick ? now : grid_.next()) + tick);
  if (errand_->tick(errand_ticks_++)) return;
  stop_motion(State::kIdle);
  held_ = true;
}

/// If it was read before, as after a hold, no new read is needed.
void TimedControlLoop::open(const LoopCommand& command) noexcept {
  if (fault_) return run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
  run_.begin_at(command.first);
  if (!loop_.chain().opened())
    if (const Fault fault = run_.sense()) return trip(fault);
  run_.answer(TimePoint{}, LoopEvent::Kind::kOpened);
}

/// If the sequence does not freeze it, the open step is abandoned, and those after it.
void TimedControlLoop::hold() noexcept {
  // A fault was found that the node does not know yet: its safe action is the stronger
  // word.
  if (state_ == State::kSafeAction) return;
  const bool running = state_ == State::kRunning || state_ == State::kHolding;
  held_ = true;
  watches_ = true;  // also where no run has begun here, as after a restart of the site
  if (sequence_->hold(running))
    state_ = State::kHolding;
  else
    stop_motion(running ? State::kHolding : State::kIdle);
}

void TimedControlLoop::resume(const LoopCommand& command, TimePoint now) noexcept {
  if (fault_) return run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
  // Held before it was started, or cut off before its first step; or no tick has read it
  // since it was opened, as after a restart.
  if (!loop_.chain().opened() || (settings_.idle_ticks && state_ == State::kIdle))
    if (const Fault fault = run_.sense()) return trip(fault);
  if (settings_.idle_ticks)
    if (const Fault unknown = loop_.look_again()) return trip(unknown);
  // A simulated rig whose process was started again is in the midst of the motion that its
  // record has: it begins at rest, as it was held.
  if (!settings_.idle_ticks && state_ == State::kIdle) loop_.hold();
  grid_.set_zero(near(command.at, now, kLongestRun));
  run_.begin_at(command.first);
  state_ = State::kRunning;
  held_ = false;
  overruns_.forget_row();
  sequence_->resume(command.first, now);
}

/// Continues from the rig's position.
void TimedControlLoop::clear(const LoopCommand& command) noexcept {
  // Another thread may release the rig already, or the safe action moves it still.
  if (asks_for_release(fault_) || state_ == State::kSafeAction)
    return run_.tell(LoopEvent::Kind::kFault, run_.number(), fault_);
  fault_ = {};
  mailbox_.set_at_rest(false);
  loop_.resume_at(run_.number(), loop_.ticks());
  if (command.drive.size() > 0) loop_.told(command.drive);
  stop_motion(State::kHolding);
  held_ = true;  // since the fault
  if (const Fault fault = run_.sense(/*clears=*/true)) return trip(fault);
  run_.tell(LoopEvent::Kind::kCleared, run_.number());
}

/// Gives up the errand, or the open step and those behind it.
void TimedControlLoop::stop_motion(State state) noexcept {
  if (std::exchange(errand_, nullptr) != nullptr) {
    forget_readings();
    run_.tell(LoopEvent::Kind::kErrandOver, run_.number());
  }
  state_ = state;
  run_.give_up();
  sequence_->give_up();
}

void TimedControlLoop::run(TimePoint now) noexcept {
  if (run_.begin_tick() && !is_tick_on_time(now)) return;
  run_tick(now);
  if (run_.is_cut()) return;
  grid_.count();
  if (state_ == State::kRunning)
    sequence_->place_next_tick(now);
  else
    grid_.give_way(now);
}

void TimedControlLoop::run_tick(TimePoint now) noexcept {
  if (state_ == State::kRamping) return ramp();
  if (state_ == State::kSafeAction) {
    if (!loop_.step_safe_action(run_.tick_time())) return;
    heed(loop_.rig().state().interlock);  // it has ended the motion
    return finish_safe_action();
  }
  const Fault fault = state_ == State::kHolding ? run_.sense() : sequence_->tick(now);
  if (fault) trip(fault);
}

/// @returns false if too many in a row came too late
bool TimedControlLoop::is_tick_on_time(TimePoint now) noexcept {
  const Duration late = now - grid_.next();
  const bool too_many = overruns_.add(late);
  if (state_ != State::kRunning) return true;
  if (too_many) {
    trip(loop_.trigger_safe_action(
        {FaultKind::kOverrun, -1, seconds(late), seconds(overruns_.limit())}));
    return false;
  }
  sequence_->skip_late_ticks(now);
  return true;
}

void TimedControlLoop::ramp() noexcept {
  const bool there = loop_.ramp(run_.tick_time());
  if (loop_.fault()) return trip(loop_.fault());
  if (!there) return;
  stop_motion(State::kIdle);
  watches_ = false;
  held_ = true;
  run_.tell(LoopEvent::Kind::kRamped, run_.number());
}

/// Stops all motion permanently.
void TimedControlLoop::trip(const Fault& fault) noexcept {
  fault_ = fault;
  // Before the end of an errand is told, which was cut off and has found nothing.
  const bool cut = errand_ != nullptr;
  if (cut) run_.tell(LoopEvent::Kind::kFault, run_.number(), fault);
  if (loop_.safe()) {
    finish_safe_action();
  } else {
    held_ = false;
    stop_motion(State::kSafeAction);
  }
  if (!cut) run_.tell(LoopEvent::Kind::kFault, run_.number(), fault);
}

void TimedControlLoop::finish_safe_action() noexcept {
  stop_motion(State::kIdle);
  held_ = true;
  watches_ = true;
  next_look_ = clock_.now() + grid_.ticks(1);
  if (asks_for_release(fault_)) forget_readings();
  mailbox_.set_at_rest(true);
}

TimePoint TimedControlLoop::response_expected_at() const noexcept {
  if (state_ == State::kRamping) return grid_.next();
  return state_ == State::kRunning ? sequence_->response_expected_at()
                                   : run_.expected_end();
}

TimingStatistics TimedControlLoop::account() const noexcept {
  const timing::DurationHistogram& lateness = overruns_.lateness();
  return {.missed = run_.counts().missed,
          .slowed = run_.counts().slowed,
          .held = run_.counts().held,
          .overruns = overruns_.count(),
          .wakeup_latency_p50 = lateness.quantile(0.5),
          .wakeup_latency_p99 = lateness.quantile(0.99),
          .wakeup_latency_max = lateness.max()};
}

}  // namespace trestle::site_node
