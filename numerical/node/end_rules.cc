#include "numerical/node/end_rules.h"

namespace trestle::integrator_node {

PhaseChange EndRules::resolve(PhaseChange change, Phase phase) const {
  const bool asks = change.trigger == Trigger::kFail || change.trigger == Trigger::kEnd ||
                    change.trigger == Trigger::kHold || change.trigger == Trigger::kHalt ||
                    change.trigger == Trigger::kLeave;
  if (!asks) return change;
  if (ends(phase)) return {};
  RunCause& cause = *change.cause;
  if (phase == Phase::kReplaying) {
    // All sites hold when the record is complete; before, the test could not be resumed.
    if (change.trigger == Trigger::kHold) return {};
    if (change.trigger == Trigger::kFail &&
        cause.result != evaluation::RunResult::kSiteLost)
      cause.result = evaluation::RunResult::kRejected;
  }
  if (change.trigger == Trigger::kLeave) {
    change.trigger = departure(phase, cause);
  } else if (change.trigger == Trigger::kFail || change.trigger == Trigger::kEnd) {
    if (withdraws(phase, cause.result))
      change.trigger = Trigger::kWithdraw;
    else
      change.trigger =
          change.trigger == Trigger::kEnd ? Trigger::kStop : error_message(cause);
  }
  return change;
}

Trigger EndRules::error_message(RunCause& cause) const {
  if (!run_.settings.resumable || !run_.begun()) return Trigger::kHalt;
  cause.by.clear();
  if (run_.peers.real_equipment()) {
    cause.operator_decides = true;
    return Trigger::kHold;
  }
  cause.leaving = true;
  return Trigger::kLeave;
}

Trigger EndRules::departure(Phase phase, RunCause& cause) const {
  cause.leaving = true;
  // No rig was asked for a step: the sites are free again.
  if (!run_.begun()) return Trigger::kStop;
  // The sites have held since before the integrator restarted.
  return phase == Phase::kConnecting ? Trigger::kLeft : Trigger::kLeave;
}

/// It was to continue, and has not yet: what keeps it from that ends no session.
bool EndRules::withdraws(Phase phase, evaluation::RunResult result) const noexcept {
  const bool before = phase == Phase::kConnecting || phase == Phase::kReplaying ||
                      run_.recovery.from_record();
  return run_.settings.resume && before &&
         (result == evaluation::RunResult::kRejected ||
          result == evaluation::RunResult::kSiteLost);
}

}  // namespace trestle::integrator_node
