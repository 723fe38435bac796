#include "site-servers/node/control_loop.h"

#include <cassert>
#include <utility>

#include "core/types/interlock.h"
#include "site-servers/safety/fault_snapshot.h"

namespace trestle::site_node {
namespace {

/// For a timed loop: records how near the rig is to its limits.
std::unique_ptr<LoopHealth> health_of(const ControlLoopSettings& settings, int actuators,
                                      const RigDescription& rig) {
  return std::make_unique<LoopHealth>(
      complete(settings.limits, actuators), settings.time_step / settings.ticks_per_step,
      static_cast<std::size_t>(rig.reactions), rig.extra.size());
}

std::size_t recorded_coefficients(const ControlLoopSettings& settings,
                                  const Compensator& compensator, int actuators) {
  return settings.record_coefficients ? compensator.coefficient_channels().size() *
                                            static_cast<std::size_t>(actuators)
                                      : 0;
}

}  // namespace

ControlLoop::ControlLoop(const ControlLoopSettings& settings, const LoadingFrame& frame,
                         ControlChain::Blocks blocks, SiteAdapter& adapter, RowSink* ticks)
    : rig_(adapter,
           {.actuators = frame.actuators(),
            .record_every = checked(settings, frame).record_every,
            .coefficients =
                recorded_coefficients(settings, *blocks.compensator, frame.actuators()),
            .ticks = ticks,
            .drives = settings.drives,
            .health = blocks.motion == nullptr
                          ? nullptr
                          : health_of(settings, frame.actuators(), adapter.description())}),
      check_(settings.layout, complete(settings.limits, frame.actuators()), frame),
      chain_(settings, frame, std::move(blocks),
             checked_reactions(settings.layout, adapter), rig_),
      safety_(settings, frame.actuators(), rig_, chain_) {}

Fault ControlLoop::sense(TimePoint now, bool clears) noexcept {
  if (fault()) return fault();
  Fault found = chain_.read(now);
  if (!found) return found;
  if (clears && asks_for_release(found) && rig_.stale())
    found.value = static_cast<double>(InterlockReaction::kHold);
  return safety_.trip(found);
}

Fault ControlLoop::accept(const StepCommand& command, int ticks) noexcept {
  assert(chain_.opened() || fault());
  if (fault()) return fault();
  if (const Fault why = refusal_of(command)) return why;
  safety_.cancel_ramp();
  chain_.aim(command, ticks);
  step_ = command.step;
  return {};
}

Fault ControlLoop::act() noexcept {
  if (fault()) return fault();
  const Fault found = chain_.drive();
  return found ? safety_.trip(found) : found;
}

void ControlLoop::answer(StepResponse& response) const noexcept {
  response.step = step_;
  chain_.report(response);
}

bool ControlLoop::ramp(TimePoint now) noexcept {
  if (!rig_.fresh() && sense(now)) return true;
  return fault() || safety_.ramp_tick();
}

void ControlLoop::hold() noexcept {
  if (fault() && !safe()) return;
  rig_.hold();
  safety_.cancel_ramp();
  chain_.rest();
}

Fault ControlLoop::look_again() noexcept {
  if (fault()) return fault();
  const Fault found = chain_.look_again();
  return found ? safety_.trip(found) : found;
}

void ControlLoop::resume_at(std::int64_t step, std::int64_t ticks) noexcept {
  step_ = step;
  rig_.begin_again(ticks);
  chain_.resume();
  safety_.clear();
}

void ControlLoop::reset() noexcept {
  step_ = kInitialStep;
  rig_.begin_again(0);
  rig_.forget_given();
  chain_.reset();
  safety_.clear();
}

void ControlLoop::miss(bool test_over) noexcept {
  if (test_over)
    chain_.decelerate_to_rest();
  else
    chain_.miss();
}

void ControlLoop::save(SnapshotWriter& snapshot) const {
  const RigPort::State& rig = rig_.state();
  const ControlChain::State& chain = chain_.state();
  const SafetySupervisor::State& safety = safety_.state();
  chain_.save_blocks(snapshot);
  rig_.save_row(snapshot);
  for (const std::int64_t count : {step_, std::int64_t{chain.mean.count()}, rig.written,
                                   std::int64_t{rig.sensed_at.time_since_epoch().count()}})
    snapshot.add(static_cast<double>(count));
  safety_.save_action(snapshot);
  snapshot.add(static_cast<double>(safety.ticks_to_action));
  for (const bool flag : {chain_.opened(), rig.fresh, rig.trusted, safety.begun,
                          chain.resting, rig.any_given, chain.activated})
    snapshot.add(flag ? 1.0 : 0.0);
  for (const ActuatorVector* values :
       {&rig.sensed.displacement, &rig.sensed.force, &chain.stroke, &chain.command,
        &rig.given.stroke, &rig.given.command, &rig.given.drive, &rig.given.measured})
    snapshot.add(*values);
  snapshot.add(rig.sensed.force_only);
  snapshot.add(chain.mean.sum().displacement);
  snapshot.add(chain.mean.sum().force);
  snapshot.add(chain.mean.sum().force_only);
  trestle::safety::save(safety.fault, snapshot);
}

void ControlLoop::restore(SnapshotReader& snapshot) {
  RigPort::State& rig = rig_.state();
  ControlChain::State& chain = chain_.state();
  SafetySupervisor::State& safety = safety_.state();
  chain_.restore_blocks(snapshot);
  rig_.restore_row(snapshot);
  step_ = static_cast<std::int64_t>(snapshot.next());
  const int summed = static_cast<int>(snapshot.next());
  rig.written = static_cast<std::int64_t>(snapshot.next());
  rig.sensed_at = TimePoint(Duration(static_cast<Duration::rep>(snapshot.next())));
  safety_.restore_action(snapshot);
  safety.ticks_to_action = static_cast<int>(snapshot.next());
  chain.opened = snapshot.next() != 0.0;
  for (bool* flag : {&rig.fresh, &rig.trusted, &safety.begun, &chain.resting,
                     &rig.any_given, &chain.activated})
    *flag = snapshot.next() != 0.0;
  for (ActuatorVector* values :
       {&rig.sensed.displacement, &rig.sensed.force, &chain.stroke, &chain.command,
        &rig.given.stroke, &rig.given.command, &rig.given.drive, &rig.given.measured})
    snapshot.fill(*values);
  snapshot.fill(rig.sensed.force_only);
  Measurement sum = chain.mean.sum();
  snapshot.fill(sum.displacement);
  snapshot.fill(sum.force);
  snapshot.fill(sum.force_only);
  chain.mean.take(sum, summed);
  trestle::safety::restore(safety.fault, snapshot);
  safety_.cancel_ramp();
}

}  // namespace trestle::site_node
