#include "site-servers/node/paced_loop.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/timing/deadline.h"
#include "site-servers/control/step_interpolation.h"

namespace trestle {
namespace {

constexpr std::size_t kOrders = 256;
constexpr std::size_t kNews = 256;
// The grid follows the clocks by this part of a tick per tick.
constexpr int kSlew = 100;

constexpr std::int64_t count(TimePoint time) noexcept {
  return time.time_since_epoch().count();
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
      answer_expected_(count(TimePoint::max())) {
  assert(settings.mode != Mode::kSimulated);
  assert(settings.tick > 0.0 && settings.ticks_per_step >= 1);
}

void PacedLoop::heard(TimePoint now) noexcept {
  heard_.store(count(now), std::memory_order_relaxed);
}

TimePoint PacedLoop::answer_expected() const noexcept {
  return TimePoint{Duration{answer_expected_.load(std::memory_order_relaxed)}};
}

TimePoint PacedLoop::tick(TimePoint now) noexcept {
  take_orders(now);
  if (state_ == State::kIdle) return TimePoint::max();
  if (state_ == State::kRunning &&
      now - TimePoint{Duration{heard_.load(std::memory_order_relaxed)}} >=
          settings_.watchdog) {
    loop_.hold();
    state_ = State::kHolding;
    silenced_.store(true, std::memory_order_relaxed);
  }
  if (now < next_) return next_;
  run(now);
  if (paused_) return now;
  expect_answer();
  const bool waits = state_ == State::kIdle ||
                     (!settings_.idle_ticks && state_ == State::kHolding) ||
                     (!settings_.idle_ticks && settings_.mode == Mode::kPseudoDynamic &&
                      state_ == State::kRunning && !open_);
  return waits ? TimePoint::max() : next_;
}

void PacedLoop::take_orders(TimePoint now) noexcept {
  while (const LoopOrder* order = orders_.front()) {
    switch (order->kind) {
      case LoopOrder::Kind::kStart:
        zero_ = wanted_zero_ = order->at;
        tick_ = 0;
        next_ = zero_;
        state_ = State::kRunning;
        break;
      case LoopOrder::Kind::kStep:
        // Where nothing was ticked meanwhile the grid begins again.
        if (settings_.mode == Mode::kPseudoDynamic && !open_ && !settings_.idle_ticks)
          next_ = std::max(next_, now);
        if (!steps_.push(*order)) tell(LoopNews::Kind::kRefused, order->command.step);
        break;
      case LoopOrder::Kind::kHold:
        loop_.hold();
        open_ = false;
        paused_ = false;
        if (state_ == State::kRunning) state_ = State::kHolding;
        break;
      case LoopOrder::Kind::kRamp:
        open_ = false;
        paused_ = false;
        next_ = std::max(next_, now);
        state_ = State::kRamping;
        break;
      case LoopOrder::Kind::kClock:
        wanted_zero_ = order->at;
        break;
    }
    orders_.pop();
  }
}

void PacedLoop::run(TimePoint now) noexcept {
  resumed_ = paused_;
  paused_ = false;
  if (!resumed_) count_lateness(now);
  if (state_ == State::kIdle) return;
  if (state_ == State::kRamping) {
    ramp();
  } else if (state_ == State::kHolding) {
    if (settings_.idle_ticks) sense();
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
  next_ = settings_.mode == Mode::kRealTime ? zero_ + ticks(tick_)
                                            : std::max(next_, now) + ticks(1);
}

void PacedLoop::run_pseudo_dynamic() noexcept {
  // An idle simulated rig is neither read nor driven: its record is a function of its
  // steps.
  if ((open_ || settings_.idle_ticks) && !sense()) return;
  if (open_ && !loop_.step_open()) answer(step_, false);
  if (!open_ && !open_step(0) && !settings_.idle_ticks) return;
  act();
}

void PacedLoop::run_continuous(TimePoint now) noexcept {
  if (!resumed_ && !sense()) return;
  if (open_ && !loop_.step_open()) {
    answer(step_, false);
    if (pause()) return;
  }
  if (!open_)
    if (const LoopOrder* step = steps_.front()) {
      const Duration left = std::max(step->at - now, Duration::zero());
      open_step(static_cast<int>(std::lround(seconds(left) / settings_.tick)));
    }
  if (!act() || open_) return;
  const MotionPhase phase = loop_.motion().phase();
  if (phase == MotionPhase::kSlowed) ++account_.slowed;
  if (phase == MotionPhase::kHeld) ++account_.held;
}

void PacedLoop::run_real_time() noexcept {
  const std::int64_t first =
      std::int64_t{settings_.latency_steps} * settings_.ticks_per_step;
  if (!resumed_ && !sense()) return;
  const std::int64_t into = tick_ - first;
  if (into >= 0 && into % settings_.ticks_per_step == 0) {
    if (open_) answer(step_, missed_);
    if (pause()) return;
    open_due_step(into / settings_.ticks_per_step);
  }
  act();
}

/// The step that is due: executed where it has come, else missed.
void PacedLoop::open_due_step(std::int64_t step) noexcept {
  if (step >= settings_.steps) return;
  while (const LoopOrder* early = steps_.front()) {
    if (early->command.step >= step) break;
    tell(LoopNews::Kind::kLate, early->command.step);
    steps_.pop();
  }
  const LoopOrder* due = steps_.front();
  missed_ = due == nullptr || due->command.step != step || !open_step(0);
  if (!missed_) return;
  ++account_.missed;
  open_ = true;
  step_ = step;
  stamps_ = {};
  driven_ = true;
  static_cast<StepInterpolation&>(loop_.motion()).come_to_rest();
  tell(LoopNews::Kind::kMissed, step);
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

bool PacedLoop::sense() noexcept {
  const Fault fault = loop_.sense(tick_time());
  if (!fault) return true;
  state_ = State::kIdle;
  tell(LoopNews::Kind::kFault, step_, fault);
  return false;
}

bool PacedLoop::act() noexcept {
  const Fault fault = loop_.act();
  if (open_ && !driven_) {
    stamps_.driven = clock_.now();
    driven_ = true;
  }
  if (!fault) return true;
  state_ = State::kIdle;
  tell(LoopNews::Kind::kFault, step_, fault);
  return false;
}

/// By the last read.
void PacedLoop::answer(std::int64_t step, bool missed) noexcept {
  open_ = false;
  loop_.answer(out_.response);
  out_.kind = LoopNews::Kind::kAnswer;
  out_.step = step;
  out_.response.step = step;
  out_.response.measured_at = tick_time();
  out_.response.missed = missed;
  out_.response.stamps = stamps_;
  out_.response.stamps.closed = clock_.now();
  news_.push(out_);
}

/// Once per tick: the next target may be there at once.
bool PacedLoop::pause() noexcept {
  paused_ = !resumed_ && steps_.front() == nullptr;
  return paused_;
}

void PacedLoop::tell(LoopNews::Kind kind, std::int64_t step, const Fault& fault) noexcept {
  out_.kind = kind;
  out_.step = step;
  out_.fault = fault;
  news_.push(out_);
}

void PacedLoop::ramp() noexcept {
  const bool there = loop_.ramp(tick_time());
  if (loop_.fault()) {
    state_ = State::kIdle;
    return tell(LoopNews::Kind::kFault, step_, loop_.fault());
  }
  if (!there) return;
  state_ = State::kIdle;
  tell(LoopNews::Kind::kRamped, step_);
}

/// Ticks that came too late are counted; in real time whole ones are left out.
void PacedLoop::count_lateness(TimePoint now) noexcept {
  const Duration late = now - next_;
  wake_.add(late);
  if (settings_.overrun <= Duration::zero() || late <= settings_.overrun) {
    overruns_in_a_row_ = 0;
  } else {
    ++account_.overruns;
    if (++overruns_in_a_row_ > settings_.most_overruns && state_ == State::kRunning) {
      loop_.hold();
      state_ = State::kIdle;
      return tell(LoopNews::Kind::kFault, step_,
                  {FaultKind::kOverrun, -1, seconds(late), seconds(settings_.overrun)});
    }
  }
  if (settings_.mode != Mode::kRealTime || state_ != State::kRunning) return;
  const auto place =
      static_cast<std::int64_t>(std::floor(seconds(now - zero_) / settings_.tick + 1e-9));
  if (place > tick_) leave_out(place - tick_);
}

void PacedLoop::leave_out(std::int64_t ticks) noexcept {
  const std::int64_t first =
      std::int64_t{settings_.latency_steps} * settings_.ticks_per_step;
  for (; ticks > 0; --ticks, ++tick_) {
    const std::int64_t into = tick_ - first;
    if (into < 0) continue;
    if (into % settings_.ticks_per_step != 0) {
      static_cast<StepInterpolation&>(loop_.motion()).skip(1);
      continue;
    }
    const std::int64_t step = into / settings_.ticks_per_step;
    if (step >= settings_.steps) continue;
    // The step before keeps its place in the motion; its read comes with the next tick.
    ++account_.missed;
    tell(LoopNews::Kind::kMissed, step);
  }
}

void PacedLoop::follow_clock() noexcept {
  const Duration most = ticks(1) / kSlew;
  zero_ += std::clamp(wanted_zero_ - zero_, -most, most);
}

void PacedLoop::expect_answer() noexcept {
  TimePoint expected = TimePoint::max();
  if (state_ == State::kRunning && settings_.mode == Mode::kRealTime) {
    const std::int64_t first =
        std::int64_t{settings_.latency_steps} * settings_.ticks_per_step;
    const std::int64_t n = settings_.ticks_per_step;
    const std::int64_t boundary =
        tick_ <= first ? first : first + (tick_ - first + n - 1) / n * n;
    expected = zero_ + ticks(boundary);
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
