#include "site-servers/node/safety_supervisor.h"

#include "core/types/interlock.h"

namespace trestle::site_node {

SafetySupervisor::SafetySupervisor(const ControlLoopSettings& settings, int actuators,
                                   RigPort& rig, ControlChain& chain)
    : rig_(rig),
      chain_(chain),
      action_(settings.safe_action, complete(settings.limits, actuators),
              settings.time_step / settings.ticks_per_step),
      ramp_(complete(settings.limits, actuators),
            settings.time_step / settings.ticks_per_step, settings.ramp_duration) {}

Fault SafetySupervisor::trip(const Fault& fault) noexcept {
  if (state_.fault) return state_.fault;
  state_ = {fault, false, 0};
  ramp_.cancel();
  const bool moving = may_move(fault);
  action_.start(chain_.stop(), rig_.sensed(), moving);
  if (action_.finished()) rig_.hold();
  return state_.fault;
}

/// Never moves a rig that was not driven yet, cannot be read, was without control for an
/// unknown time, or has an unknown drive in force.
bool SafetySupervisor::may_move(const Fault& fault) noexcept {
  const RigPort::State& run = rig_.state();
  const bool driven = run.written > run.undriven;  // not only its drive was stated
  if (!driven || !rig_.trusted() || forbids_motion(fault) ||
      fault.kind == FaultKind::kAdapter || fault.kind == FaultKind::kStalled ||
      fault.kind == FaultKind::kSuspended || fault.kind == FaultKind::kUnknownDrive)
    return false;
  // Held, the rig may have been moved by its own controls: the motion begins at the drive
  // that it reports, or there is none.
  return !rig_.real_equipment() || !run.held || !chain_.look_again();
}

bool SafetySupervisor::step_safe_action(TimePoint now) noexcept {
  if (action_finished()) return true;
  if (!state_.begun) ++state_.ticks_to_action;
  if (rig_.read(now) || forbids_motion(rig_.state().interlock)) {
    action_.hold();
    rig_.hold();
    return true;
  }
  const ActuatorVector drive = action_.next(rig_.reading());
  // A row that is lost now must not end the safe action.
  if (action_.fault().kind != FaultKind::kNotFinite) {
    rig_.accept(now);
    rig_.close_row();
  }
  chain_.follow(drive);
  rig_.open_row(drive, drive);
  state_.begun = true;
  if (rig_.write(drive, drive, drive).kind == FaultKind::kAdapter) action_.hold();
  if (action_.finished()) rig_.hold();
  return action_.finished();
}

bool SafetySupervisor::ramp_tick() noexcept {
  const bool begins = !ramp_.started();
  if (begins) {
    chain_.forget_rate();
    ramp_.start(chain_.stop());
  }
  // The first drive repeats the one in force: the rig stops before it is moved home.
  if (const Fault fault = chain_.drive_straight(begins ? chain_.stop() : ramp_.next())) {
    trip(fault);
    return true;
  }
  if (begins) return false;
  if (!ramp_.finished()) return false;
  rig_.hold();  // no drive follows, and its watchdog must not trip
  return true;
}

void SafetySupervisor::clear() noexcept {
  state_ = {};
  action_.cancel();
  ramp_.cancel();
}

}  // namespace trestle::site_node
