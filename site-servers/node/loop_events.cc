#include "site-servers/node/loop_events.h"

#include "core/types/interlock.h"

namespace trestle::site_node {

bool LoopEvents::follow() {
  bool any = false;
  for (;
       site_.loop.executor() != nullptr && site_.loop.executor()->front_event() != nullptr;
       any = true)
    follow_front();
  parts_.steps.unexecuted().write_names();
  return any;
}

bool LoopEvents::process() {
  const bool any = follow();
  StepExecutor* const executor = site_.loop.executor();
  if (executor == nullptr || !site_.loop.unfinished()) return any;
  executor->message_received(site_.peer.heard_at());
  // A message that came since does not start it again.
  if (executor->watchdog_expired() && site_.session.in(session::SessionState::kRunning)) {
    site_.session.move(session::SessionState::kHolding);
    // Not how long it lasts by now: a message may have come since.
    const Duration allowed = site_.agreed.watchdog();
    parts_.hold.hold({SiteCause::Silence{allowed, site_.agreed.configure.watchdog,
                                         site_.peer.away(allowed)}});
  }
  if (site_.session.in(session::SessionState::kRunning)) site_.loop.follow_clocks();
  return any;
}

/// Its place is free again before anything else is done: the loop may be gone then.
void LoopEvents::follow_front() {
  const LoopEvent& event = *site_.loop.executor()->front_event();
  const LoopEvent::Kind kind = event.kind;
  const Fault fault = event.fault;
  const std::int64_t step = event.step;
  const std::int64_t ticks = event.ticks;
  const int state = event.state;
  const bool opened = kind == LoopEvent::Kind::kOpened && site_.session.flags().opening;
  if (kind == LoopEvent::Kind::kAnswer || opened) parts_.steps.take(event.response);
  if (fault.kind == FaultKind::kUnknownDrive && !has_latched_fault())
    parts_.question.ask(event.response.actuators.measured,
                        event.response.actuators.command);
  site_.loop.executor()->pop_event();
  switch (kind) {
    case LoopEvent::Kind::kErrandOver:
      parts_.arming.errand_over();
      break;
    case LoopEvent::Kind::kOpened:
      parts_.steps.opened(state);
      break;
    case LoopEvent::Kind::kAnswer:
      parts_.steps.answered(ticks, state);
      break;
    case LoopEvent::Kind::kFault:
      tripped(fault);
      break;
    case LoopEvent::Kind::kCleared:
      site_.session.finish_clearing();
      break;
    case LoopEvent::Kind::kRefused:
      parts_.steps.refused(fault, step);
      break;
    case LoopEvent::Kind::kMissed:
      parts_.steps.unexecuted().add(step);
      break;
    case LoopEvent::Kind::kLate:
      parts_.steps.unexecuted().late(step);
      break;
    case LoopEvent::Kind::kRamped:
      parts_.end.ramped();
      break;
  }
}

/// Not one that is being cleared: another fault then states why it is not cleared.
bool LoopEvents::has_latched_fault() const noexcept {
  return site_.session.in(session::SessionState::kFault) && !site_.session.clearing();
}

void LoopEvents::tripped(const Fault& fault) {
  if (has_latched_fault()) {
    if (is_stronger(fault, site_.session.halt().fault)) parts_.hold.add(fault);
    return;
  }
  const bool stopping = site_.session.in(session::SessionState::kStopping);
  parts_.hold.trip(fault);
  if (stopping) parts_.end.begin(site_.session.reason());
}

}  // namespace trestle::site_node
