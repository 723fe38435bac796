#include "site-servers/node/real_time_sequence.h"

#include <algorithm>
#include <cassert>

#include "site-servers/node/step_run.h"

namespace trestle::site_node {
namespace {

// Of the omitted ticks, those of this number of steps determine the motion.
constexpr std::int64_t kStepsThatMatter = 3;
// Steps missed at a time that are reported one by one.
constexpr std::int64_t kMostTold = 256;

}  // namespace

Fault RealTimeSequence::tick(TimePoint /*now*/) noexcept {
  StepRun& run = parts_.run;
  TickGrid& grid = parts_.grid;
  const TimePoint measured_at{grid.ticks(grid.number())};
  if (!run.has_read(parts_.real_equipment))
    if (const Fault fault = run.sense()) return fault;
  if (left_out_ != kInitialStep) {
    // The first read since: nothing nearer to when its step was to be closed will come.
    if (run.is_open()) run.answer(measured_at);
    run.miss(left_out_);
    left_out_ = kInitialStep;
  }
  const std::int64_t into = grid.number() - first_tick();
  const std::int64_t step = into / steps_.ticks_per_step;
  const bool begins = into >= 0 && into % steps_.ticks_per_step == 0 && step >= from_;
  const bool over = step >= steps_.steps;
  // Behind the last step the rig moves away from where that ended: the first read is the
  // nearest to it.
  if (begins || (over && run.is_open())) {
    if (run.is_open()) run.answer(measured_at);
    if (run.cut_after_read()) return {};
  }
  if (over)
    parts_.loop.miss(/*test_over=*/true);
  else if (begins)
    open_due_step(step);
  return run.act();
}

/// Opens the due step of the test: executed if it has arrived, otherwise missed.
void RealTimeSequence::open_due_step(std::int64_t step) noexcept {
  StepRun& run = parts_.run;
  while (const StepCommandItem* const early = run.next()) {
    if (early->command.step >= step) break;
    run.tell(LoopEvent::Kind::kLate, early->command.step);
    run.pass_over_next();
  }
  const StepCommandItem* const due = run.next();
  if (due != nullptr && due->command.step == step && run.open(0)) return;
  ++run.counts().missed;
  run.tell(LoopEvent::Kind::kMissed, step);
  handle_missed_target();
  run.miss(step);
}

/// The motion and its feed-forward come to rest.
void RealTimeSequence::handle_missed_target() noexcept {
  assert(!parts_.loop.step_open());
  motion_.decelerate_to_rest();
  parts_.loop.miss();
}

void RealTimeSequence::skip_tick() noexcept {
  motion_.skip();
  parts_.loop.skip();
}

/// The next step begins at the start of its target's motion, and the command joins it
/// smoothly from its rest position.
bool RealTimeSequence::hold(bool /*running*/) noexcept {
  parts_.loop.hold();
  motion_.restart();
  if (parts_.run.is_missed()) --parts_.run.counts().missed;  // it may still come
  return false;
}

void RealTimeSequence::resume(std::int64_t first, TimePoint now) noexcept {
  from_ = first;
  std::int64_t tick = parts_.grid.first_from(now);
  if (parts_.real_equipment) {
    motion_.restart();
    miss(from_, steps_due(tick));
  } else {
    // A simulated rig continues with its next step, and not before.
    tick = std::max(tick, first_tick() + from_ * steps_.ticks_per_step);
  }
  parts_.grid.jump_to(tick);
}

/// The ticks up to this one never came; steps that were due at one of them are missed.
void RealTimeSequence::skip_late_ticks(TimePoint now) noexcept {
  TickGrid& grid = parts_.grid;
  const std::int64_t place = grid.last_by(now);
  std::int64_t tick = grid.number();
  if (place <= tick) return;
  // Those before it were done, or given up, before a hold.
  miss(std::max(steps_due(tick), from_), steps_due(place));
  // Without targets the motion is at rest by then, however many there were.
  const std::int64_t n = steps_.ticks_per_step;
  for (tick = std::max(tick, place - kStepsThatMatter * n); tick < place; ++tick) {
    if (steps_due(tick + 1) > std::max(steps_due(tick), from_)) {
      while (parts_.loop.step_open()) skip_tick();
      handle_missed_target();
    }
    skip_tick();
  }
  grid.set_number(place);
}

/// Steps from the first to before the second, whose first ticks were left out.
void RealTimeSequence::miss(std::int64_t from, std::int64_t to) noexcept {
  if (to <= from) return;
  parts_.run.counts().missed += to - from;
  // More events than the queue holds cannot be reported one by one.
  for (std::int64_t step = from; step < std::min(to, from + kMostTold); ++step)
    parts_.run.tell(LoopEvent::Kind::kMissed, step);
  left_out_ = to - 1;
}

void RealTimeSequence::place_next_tick(TimePoint /*now*/) noexcept {
  parts_.grid.jump_to(parts_.grid.number());
}

TimePoint RealTimeSequence::response_expected_at() const noexcept {
  const std::int64_t n = steps_.ticks_per_step;
  const std::int64_t into = std::max<std::int64_t>(parts_.grid.number() - first_tick(), 0);
  return parts_.grid.time_of(first_tick() + (into + n - 1) / n * n);
}

/// First ticks of steps that come before this one.
std::int64_t RealTimeSequence::steps_due(std::int64_t tick) const noexcept {
  const std::int64_t into = tick - first_tick();
  const std::int64_t n = steps_.ticks_per_step;
  return into <= 0 ? 0 : std::min((into + n - 1) / n, steps_.steps);
}

/// Returns the first tick of step 0.
std::int64_t RealTimeSequence::first_tick() const noexcept {
  return std::int64_t{steps_.latency_steps} * steps_.ticks_per_step;
}

}  // namespace trestle::site_node
