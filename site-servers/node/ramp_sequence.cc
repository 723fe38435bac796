#include "site-servers/node/ramp_sequence.h"

#include "site-servers/node/step_run.h"

namespace trestle::site_node {

/// An idle simulated rig is neither read nor driven: its record is a function of its steps.
/// An abandoned step may have left a drive without a read after it.
Fault RampSequence::tick(TimePoint /*now*/) noexcept {
  StepRun& run = parts_.run;
  const bool unread = run.has_next() && !parts_.loop.rig().fresh();
  if (run.is_open() || parts_.real_equipment || unread)
    if (const Fault fault = run.sense()) return fault;
  if (run.is_over()) run.answer(run.tick_time());
  if (!run.is_open() && !run.open(0) && !parts_.real_equipment) return {};
  return run.act();
}

bool RampSequence::is_idle() const noexcept {
  return !parts_.run.is_open() && !parts_.run.has_next();
}

bool RampSequence::hold(bool running) noexcept {
  const bool freezes = running && !parts_.real_equipment;
  if (freezes)
    parts_.loop.freeze();
  else
    parts_.loop.hold();
  return freezes;
}

void RampSequence::resume(std::int64_t /*first*/, TimePoint now) noexcept {
  parts_.grid.not_before(now);
}

void RampSequence::place_next_tick(TimePoint now) noexcept {
  parts_.grid.give_way(now);
}

TimePoint RampSequence::response_expected_at() const noexcept {
  return parts_.run.expected_end();
}

}  // namespace trestle::site_node
