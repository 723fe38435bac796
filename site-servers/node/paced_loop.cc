#include "site-servers/node/paced_loop.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "site-servers/trajectory/step_interpolation.h"

namespace trestle {
namespace {

constexpr std::size_t kOrders = 256;
constexpr std::size_t kNews = 256;
// Room that is kept for news that must not be lost.
constexpr std::size_t kReserve = 16;
// The grid follows the clocks by this part of a tick per tick.
constexpr int kSlew = 100;
// Times further away than this are nonsense, and could not be reckoned with: of a target,
// and of the beginning of a run.
constexpr Duration kFarthest = std::chrono::hours(1);
constexpr Duration kLongestRun = std::chrono::hours(1000);
constexpr double kMostTicks = 1e8;
// Less sleep of the host is none: two clocks are not asked at once.
constexpr Duration kAsleep = std::chrono::milliseconds(50);

constexpr std::int64_t count(TimePoint time) noexcept {
  return time.time_since_epoch().count();
}

constexpr TimePoint near(TimePoint time, TimePoint middle,
                         Duration farthest = kFarthest) noexcept {
  return std::clamp(time, middle - farthest, middle + farthest);
}

}  // namespace

PacedLoop::PacedLoop(const PacedLoopSettings& settings, ControlLoop& loop,
                     const Clock& clock)
    : settings_(settings),
      loop_(loop),
      clock_(clock),
      orders_(kOrders),
      news_(kNews),
      steps_(kOrders),
      slept_(clock.asleep()),
      answer_expected_(count(TimePoint::max())) {
  // Makes the room that the control thread needs.
  for (KeptState& kept : states_) {
    if (!settings_.keeps_state) break;
    loop_.save(kept.snapshot);
    if (settings_.rig != nullptr) settings_.rig->save(kept.snapshot);
  }
  assert(settings.mode != Mode::kSimulated);
  assert(settings.tick > 0.0 && settings.ticks_per_step >= 1);
  assert(settings.mode != Mode::kRealTime ||
         dynamic_cast<StepInterpolation*>(&loop.motion()) != nullptr);
}

void PacedLoop::heard(TimePoint now) noexcept {
  heard_.store(count(now), std::memory_order_relaxed);
}

TimePoint PacedLoop::answer_expected() const noexcept {
  return TimePoint{Duration{answer_expected_.load(std::memory_order_relaxed)}};
}

TimePoint PacedLoop::tick(TimePoint now) noexcept {
  if (settings_.guard != nullptr) settings_.guard->cycle_begins(now);
  const TimePoint due = do_what_is_due(now);
  // Only now: whatever it was told, it has come back from the rig.
  const bool rests = state_ == State::kHolding || state_ == State::kIdle;
  holds_.store(rests && held_, std::memory_order_release);
  acts_safely_.store(state_ == State::kSafe, std::memory_order_release);
  // A tick of an errand that is late is only later: of those the rig's functions are
  // watched.
  const bool by_time = !waits() && state_ != State::kErrand;
  if (settings_.guard != nullptr)
    settings_.guard->cycle_done(by_time ? due : TimePoint::max());
  return due;
}

/// Before anything is driven after it: where the rig went meanwhile nobody knows.
void PacedLoop::look_for_sleep() noexcept {
  const Duration slept = clock_.asleep();
  const Duration now = slept - slept_;
  slept_ = std::max(slept_, slept);
  if (now < kAsleep || (state_ != State::kRunning && state_ != State::kRamping)) return;
  trip(loop_.bring_to_safety({FaultKind::kSuspended, -1, seconds(now), 0.0}));
}

TimePoint PacedLoop::do_what_is_due(TimePoint now) noexcept {
  look_for_sleep();
  take_orders(now);
  if (state_ == State::kErrand) go_on_errand(now);
  if (state_ == State::kRunning &&
      now - TimePoint{Duration{heard_.load(std::memory_order_relaxed)}} >=
          settings_.watchdog) {
    if (settings_.leaves_on_silence)
      trip(loop_.bring_to_safety({FaultKind::kPeerSilent, -1, seconds(settings_.watchdog),
                                  seconds(settings_.watchdog)}));
    else
      hold();
    silenced_.store(true, std::memory_order_relaxed);
  }
  if (!waits()) {
    if (now < next_ || state_ == State::kErrand) return next_;
    run(now);
    if (paused_) return now;
  }
  expect_answer();
  return waits() ? TimePoint::max() : next_;
}

/// Until the next order there is nothing to tick for.
bool PacedLoop::waits() const noexcept {
  if (state_ == State::kIdle) return true;
  if (settings_.idle_ticks) return false;
  return state_ == State::kHolding ||
         (state_ == State::kRunning && settings_.mode == Mode::kPseudoDynamic && !open_ &&
          steps_.front() == nullptr);
}

void PacedLoop::take_orders(TimePoint now) noexcept {
  while (const LoopOrder* order = orders_.front()) {
    take(*order, now);
    orders_.pop();
  }
}

void PacedLoop::take(const LoopOrder& order, TimePoint now) noexcept {
  switch (order.kind) {
    case LoopOrder::Kind::kErrand:
      next_ = now;
      errand_ticks_ = 0;
      held_ = false;
      stand_still(State::kErrand);
      errand_ = order.errand;
      return;
    case LoopOrder::Kind::kOpen:
      return open(order);
    case LoopOrder::Kind::kStart:
      zero_ = wanted_zero_ = near(order.at, now);
      tick_ = 0;
      next_ = zero_;
      if (!fault_) state_ = State::kRunning;
      held_ = held_ && fault_;
      return;
    case LoopOrder::Kind::kStep:
      if (state_ != State::kRunning) return;
      // Where nothing was ticked meanwhile the grid begins again.
      if (waits()) next_ = std::max(next_, now);
      if (!steps_.push(order)) tell(LoopNews::Kind::kRefused, order.command.step);
      return;
    case LoopOrder::Kind::kHold:
      return hold();
    case LoopOrder::Kind::kRamp:
      // Only a person may move a rig that tripped.
      if (fault_) return tell(LoopNews::Kind::kFault, step_, fault_);
      // Held, it may have been moved by its own means.
      if (settings_.idle_ticks && state_ == State::kHolding)
        if (const Fault unknown = loop_.look_again()) return trip(unknown);
      next_ = std::max(next_, now);
      held_ = false;
      return stand_still(State::kRamping);
    case LoopOrder::Kind::kClock:
      wanted_zero_ = near(order.at, zero_);
      return;
    case LoopOrder::Kind::kSafe:
      if (!fault_) trip(loop_.bring_to_safety(order.fault));
      return;
    case LoopOrder::Kind::kClear:
      fault_ = {};
      at_rest_.store(false, std::memory_order_relaxed);
      loop_.take_up(step_, loop_.ticks());
      if (order.drive.size() > 0) loop_.told(order.drive);
      stand_still(State::kHolding);
      held_ = true;  // since the fault
      if (sense()) tell(LoopNews::Kind::kCleared, step_);
      return;
    case LoopOrder::Kind::kResume:
      return go_on(order, now);
  }
}

/// Ticks that came too late are not made up for: the rig would move faster than its limits.
void PacedLoop::go_on_errand(TimePoint now) noexcept {
  if (now < next_) return;
  if (now > next_ + ticks(1)) next_ = now;
  next_ += ticks(1);
  if (errand_->tick(errand_ticks_++)) return;
  stand_still(State::kIdle);
  held_ = true;
}

/// Read before, as where it went on after a hold, it has nothing new to see.
void PacedLoop::open(const LoopOrder& order) noexcept {
  if (fault_) return tell(LoopNews::Kind::kFault, step_, fault_);
  step_ = std::max(step_, order.first - 1);
  if (loop_.opened() || sense()) answer(TimePoint{}, LoopNews::Kind::kOpened);
}

/// Time stops for a pseudo-dynamic step on a simulated rig: it goes on where it was.
/// Elsewhere the open step is given up, and those behind it.
void PacedLoop::hold() noexcept {
  const bool running = state_ == State::kRunning || state_ == State::kHolding;
  if (running && settings_.mode == Mode::kPseudoDynamic && !settings_.idle_ticks) {
    loop_.freeze();
    state_ = State::kHolding;
    held_ = true;
    return;
  }
  loop_.hold();
  held_ = true;
  if (settings_.mode == Mode::kRealTime) loop_.begin_anew();
  if (open_ && missed_) --account_.missed;  // it may still come
  stand_still(running ? State::kHolding : State::kIdle);
}

void PacedLoop::go_on(const LoopOrder& order, TimePoint now) noexcept {
  if (fault_) return tell(LoopNews::Kind::kFault, step_, fault_);
  // Held before it was started, or cut off before its first step.
  if (!loop_.opened() && !sense()) return;
  if (settings_.idle_ticks)
    if (const Fault unknown = loop_.look_again()) return trip(unknown);
  zero_ = wanted_zero_ = near(order.at, now, kLongestRun);
  from_step_ = order.first;
  step_ = std::max(step_, order.first - 1);
  state_ = State::kRunning;
  held_ = false;
  overruns_in_a_row_ = 0;
  if (settings_.mode == Mode::kRealTime) {
    if (settings_.idle_ticks) loop_.begin_anew();
    tick_ = static_cast<std::int64_t>(std::ceil(seconds(now - zero_) / settings_.tick));
    // A simulated rig goes on with its next step, and not before.
    if (!settings_.idle_ticks)
      tick_ = std::max(tick_, first_tick() + from_step_ * settings_.ticks_per_step);
    else
      miss(from_step_, steps_due(tick_));
    next_ = zero_ + ticks(tick_);
  } else {
    next_ = std::max(next_, now);
  }
}

/// Gives up the open step and those behind it.
void PacedLoop::stand_still(State state) noexcept {
  if (std::exchange(errand_, nullptr) != nullptr) tell(LoopNews::Kind::kErrandOver, step_);
  state_ = state;
  open_ = false;
  paused_ = false;
  left_out_ = kOpeningStep;
  steps_.clear();
}

void PacedLoop::run(TimePoint now) noexcept {
  resumed_ = paused_;
  paused_ = false;
  if (!resumed_ && !on_time(now)) return;
  if (state_ == State::kRamping) {
    ramp();
  } else if (state_ == State::kSafe) {
    if (loop_.safe_tick(tick_time())) come_to_rest();
  } else if (state_ == State::kHolding) {
    sense();
  } else if (settings_.mode == Mode::kPseudoDynamic) {
    run_pseudo_dynamic();
  } else if (settings_.mode == Mode::kContinuous) {
    run_continuous(now);
  } else {
    run_real_time();
  }
  if (paused_) return;
  ++tick_;
  follow_clock();
  if (settings_.mode == Mode::kRealTime && state_ == State::kRunning) {
    next_ = zero_ + ticks(tick_);
  } else {
    next_ += ticks(1);
    if (next_ <= now) next_ = now + ticks(1);
  }
}

void PacedLoop::run_pseudo_dynamic() noexcept {
  // An idle simulated rig is neither read nor driven: its record is a function of its
  // steps.
  // A step that was given up may have left a drive behind that nobody read after.
  const bool unread = steps_.front() != nullptr && !loop_.fresh();
  if ((open_ || settings_.idle_ticks || unread) && !sense()) return;
  if (open_ && !loop_.step_open()) answer(tick_time());
  if (!open_ && !open_step(0) && !settings_.idle_ticks) return;
  act();
}

void PacedLoop::run_continuous(TimePoint now) noexcept {
  if (!read_already() && !sense()) return;
  if (open_ && !loop_.step_open()) {
    answer(TimePoint{now - zero_});
    if (pause()) return;
  }
  if (!open_)
    if (const LoopOrder* step = steps_.front()) {
      const double left = seconds(near(step->at, now) - now) / settings_.tick;
      open_step(static_cast<int>(std::lround(std::clamp(left, 0.0, kMostTicks))));
    }
  if (!act() || open_) return;
  const MotionPhase phase = loop_.motion().phase();
  if (phase == MotionPhase::kSlowed) ++account_.slowed;
  if (phase == MotionPhase::kHeld) ++account_.held;
}

/// Takes the next step. @returns whether one is open now
bool PacedLoop::open_step(int ticks) noexcept {
  const LoopOrder* order = steps_.front();
  if (order == nullptr) return false;
  step_ = order->command.step;
  const Fault fault = loop_.accept(order->command, ticks);
  stamps_ = {order->received, clock_.now(), {}, {}};
  steps_.pop();
  driven_ = false;
  missed_ = false;
  open_ = !fault;
  if (fault) tell(LoopNews::Kind::kRefused, step_, fault);
  return open_;
}

/// The first tick of a simulated rig goes by the opening read, as in lock-step, and one
/// that goes on between read and drive by the read that it had.
bool PacedLoop::read_already() const noexcept {
  return resumed_ || (loop_.fresh() && !settings_.idle_ticks);
}

bool PacedLoop::sense() noexcept {
  const Fault fault = loop_.sense(tick_time());
  if (fault) trip(fault);
  return !fault;
}

bool PacedLoop::act() noexcept {
  const Fault fault = loop_.act();
  if (open_ && !driven_) {
    stamps_.driven = clock_.now();
    driven_ = true;
  }
  if (fault) trip(fault);
  return !fault;
}

/// Everything stands still, and stays so.
void PacedLoop::trip(const Fault& fault) noexcept {
  fault_ = fault;
  if (loop_.safe()) {
    come_to_rest();
  } else {
    held_ = false;
    stand_still(State::kSafe);
  }
  if (fault.kind == FaultKind::kUnknownDrive) {
    out_.response.actuators.measured = loop_.measured();
    if (const std::optional<DriveInForce> last = loop_.in_force())
      out_.response.actuators.command = last->drive;
  }
  tell(LoopNews::Kind::kFault, step_, fault);
}

/// The safe action is over.
void PacedLoop::come_to_rest() noexcept {
  stand_still(State::kIdle);
  held_ = true;
  at_rest_.store(true, std::memory_order_release);
}

/// The open step, by the last read.
void PacedLoop::answer(TimePoint measured_at, LoopNews::Kind kind) noexcept {
  open_ = false;
  loop_.answer(out_.response);
  out_.kind = kind;
  out_.fault = {};
  out_.step = step_;
  out_.response.step = step_;
  out_.response.measured_at = measured_at;
  out_.response.missed = missed_;
  out_.response.stamps = stamps_;
  out_.response.stamps.closed = clock_.now();
  out_.ticks = loop_.ticks();
  keep_state();
  if (out_.state >= 0)
    states_[static_cast<std::size_t>(out_.state)].full.store(true,
                                                             std::memory_order_release);
  // Without room the answer is asked for again.
  if (!news_.push(out_) && out_.state >= 0)
    states_[static_cast<std::size_t>(out_.state)].full.store(false,
                                                             std::memory_order_release);
}

/// Once per tick: the next target may be there at once.
bool PacedLoop::pause() noexcept {
  paused_ = !resumed_ && steps_.front() == nullptr;
  return paused_;
}

/// What is only for the record must not fill the queue: it is counted besides.
void PacedLoop::tell(LoopNews::Kind kind, std::int64_t step, const Fault& fault) noexcept {
  const bool record_only = kind == LoopNews::Kind::kMissed || kind == LoopNews::Kind::kLate;
  if (record_only && news_.room() <= kReserve) return;
  out_.kind = kind;
  out_.step = step;
  out_.fault = fault;
  news_.push(out_);
}

void PacedLoop::ramp() noexcept {
  const bool there = loop_.ramp(tick_time());
  if (loop_.fault()) return trip(loop_.fault());
  if (!there) return;
  stand_still(State::kIdle);
  held_ = true;
  tell(LoopNews::Kind::kRamped, step_);
}

void PacedLoop::follow_clock() noexcept {
  const Duration most = ticks(1) / kSlew;
  zero_ += std::clamp(wanted_zero_ - zero_, -most, most);
}

void PacedLoop::expect_answer() noexcept {
  TimePoint expected = TimePoint::max();
  if (state_ == State::kRunning && settings_.mode == Mode::kRealTime) {
    const std::int64_t n = settings_.ticks_per_step;
    const std::int64_t into = std::max<std::int64_t>(tick_ - first_tick(), 0);
    expected = zero_ + ticks(first_tick() + (into + n - 1) / n * n);
  } else if (state_ == State::kRamping) {
    expected = next_;
  } else if (open_) {
    expected = next_ + ticks(loop_.motion().ticks_left());
  }
  answer_expected_.store(count(expected), std::memory_order_relaxed);
}

/// Of the run's own ticks, whatever the clock did: what a simulated rig goes by.
TimePoint PacedLoop::tick_time() const noexcept {
  return TimePoint{ticks(loop_.ticks())};
}

Duration PacedLoop::ticks(std::int64_t count) const noexcept {
  return Duration{std::llround(static_cast<double>(count) * settings_.tick * 1e9)};
}

PaceAccount PacedLoop::account() const noexcept {
  PaceAccount account = account_;
  account.wake_p50 = wake_.quantile(0.5);
  account.wake_p99 = wake_.quantile(0.99);
  account.wake_max = wake_.max();
  return account;
}

}  // namespace trestle
