// The part of PacedLoop that goes by time alone: real time.
#include <algorithm>
#include <cmath>

#include "site-servers/node/paced_loop.h"

namespace trestle {
namespace {

// Of ticks that were left out those of so many steps say where the motion is.
constexpr std::int64_t kStepsThatMatter = 3;
// Steps that were missed at a time and are told one by one.
constexpr std::int64_t kMostTold = 256;

}  // namespace

void PacedLoop::run_real_time() noexcept {
  if (!read_already() && !sense()) return;
  if (left_out_ != kOpeningStep) {
    // The first read since: nothing nearer to when its step was to be closed will come.
    if (open_) answer(TimePoint{ticks(tick_)});
    open_missed(left_out_);
    left_out_ = kOpeningStep;
  }
  const std::int64_t into = tick_ - first_tick();
  if (into >= 0 && into % settings_.ticks_per_step == 0 &&
      into / settings_.ticks_per_step >= from_step_) {
    if (open_) answer(TimePoint{ticks(tick_)});
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
  if (due != nullptr && due->command.step == step && open_step(0)) return;
  ++account_.missed;
  tell(LoopNews::Kind::kMissed, step);
  loop_.miss();
  open_missed(step);
}

/// It waits for its read as if it were executed.
void PacedLoop::open_missed(std::int64_t step) noexcept {
  open_ = true;
  missed_ = true;
  driven_ = true;
  step_ = step;
  stamps_ = {};
}

/// The ticks up to this one never came; steps that were due at one of them are missed.
void PacedLoop::leave_out(std::int64_t place) noexcept {
  // Those before it were done, or given up, before a hold.
  miss(std::max(steps_due(tick_), from_step_), steps_due(place));
  // Without targets the motion is at rest by then, however many there were.
  const std::int64_t n = settings_.ticks_per_step;
  for (tick_ = std::max(tick_, place - kStepsThatMatter * n); tick_ < place; ++tick_) {
    if (steps_due(tick_ + 1) > std::max(steps_due(tick_), from_step_)) {
      while (loop_.step_open()) loop_.skip();
      loop_.miss();
    }
    loop_.skip();
  }
}

/// Steps from the first to before the second, whose first ticks were left out.
void PacedLoop::miss(std::int64_t from, std::int64_t to) noexcept {
  if (to <= from) return;
  account_.missed += to - from;
  // More than the queue holds cannot be told one by one.
  for (std::int64_t step = from; step < std::min(to, from + kMostTold); ++step)
    tell(LoopNews::Kind::kMissed, step);
  left_out_ = to - 1;
}

/// Ticks that came too late are counted; in real time whole ones are left out.
/// @returns false where they were too many
bool PacedLoop::on_time(TimePoint now) noexcept {
  const Duration late = now - next_;
  wake_.add(late);
  if (settings_.overrun <= Duration::zero() || late <= settings_.overrun) {
    overruns_in_a_row_ = 0;
  } else {
    ++account_.overruns;
    if (++overruns_in_a_row_ > settings_.most_overruns && state_ == State::kRunning) {
      trip(loop_.bring_to_safety(
          {FaultKind::kOverrun, -1, seconds(late), seconds(settings_.overrun)}));
      return false;
    }
  }
  if (settings_.mode != Mode::kRealTime || state_ != State::kRunning) return true;
  const auto place =
      static_cast<std::int64_t>(std::floor(seconds(now - zero_) / settings_.tick + 1e-9));
  if (place > tick_) leave_out(place);
  return true;
}

/// First ticks of steps that come before this one.
std::int64_t PacedLoop::steps_due(std::int64_t tick) const noexcept {
  const std::int64_t into = tick - first_tick();
  const std::int64_t n = settings_.ticks_per_step;
  return into <= 0 ? 0 : std::min((into + n - 1) / n, settings_.steps);
}

/// Of step 0.
std::int64_t PacedLoop::first_tick() const noexcept {
  return std::int64_t{settings_.latency_steps} * settings_.ticks_per_step;
}

}  // namespace trestle
