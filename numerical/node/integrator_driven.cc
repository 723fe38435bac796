// The part of IntegratorNode whose targets a program elsewhere sets.
#include "numerical/node/integrator_node.h"

namespace trestle {

/// Nothing is open meanwhile, and the sites hear heartbeats.
void IntegratorNode::await_target(std::int64_t step) noexcept {
  awaits_target_ = true;
  awaits_target_since_ = times_.now;
  next_step_ = step;
  times_.deadline.set(times_.now, settings_.targets->patience_left());
}

/// @returns whether a step is open
bool IntegratorNode::follow_source() {
  switch (settings_.targets->next()) {
    case TargetSource::Word::kGone:
      fail(RunResult::kPeerLost, settings_.targets->why_gone(), "integrator",
           Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0});
      return false;
    case TargetSource::Word::kNotFinite:
      fail(RunResult::kStopped, settings_.targets->why_gone(), "integrator",
           Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
      return false;
    case TargetSource::Word::kOver:
      settings_.steps = exchange_.done();
      end(RunResult::kComplete, {});
      return false;
    case TargetSource::Word::kTarget:
      awaits_target_ = false;
      begin_step(next_step_);
      return true;
    case TargetSource::Word::kWait:
      break;
  }
  if (!awaits_target_) return true;
  times_.deadline.set(times_.now, settings_.targets->patience_left());
  return false;
}

void IntegratorNode::source_silent() {
  fail(RunResult::kPeerLost,
       settings_.targets->who() + " was silent for longer than `patience` allows",
       "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0});
}

}  // namespace trestle
