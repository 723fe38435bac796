// The part of IntegratorNode that follows its own record after it was killed, and gives
// sites again what theirs have lost.
#include "core/session/audit_words.h"
#include "numerical/node/integrator_node.h"

namespace trestle {

/// After a restart: what this node has recorded, as far as it is whole.
void IntegratorNode::take_up_record() {
  if (const std::string why = recovery_.resume_record(); !why.empty())
    return end(RunResult::kRefused, why);
  phase_ = Phase::kReplaying;
  times_.deadline.clear();
}

/// Whoever conducted it wrote its end into the record, and did not live to tell.
void IntegratorNode::begin_retelling() {
  end_.reason = recovery_.retell();
  if (!end_.reason.empty()) end_.result = RunResult::kRefused;
  phase_ = end_.reason.empty() ? Phase::kReplaying : Phase::kDone;
  if (end_.reason.empty()) times_.deadline.clear();
}

void IntegratorNode::replay() {
  const Recovery::Verdict verdict = recovery_.replay_some();
  if (verdict == Recovery::Verdict::kOtherTarget)
    return end(RunResult::kRefused, "the replay asks for another target at step " +
                                        std::to_string(recovery_.replayed()) +
                                        " than the record; it was made by another program "
                                        "or on another processor");
  if (verdict != Recovery::Verdict::kDone) return;
  if (settings_.retell) {
    end_.result = recovery_.finish_retelling() ? RunResult::kComplete : RunResult::kStopped;
    phase_ = Phase::kDone;
    return;
  }
  const std::string next = std::to_string(recovery_.open_step());
  recorder_.audit(audit_resumed(settings_.by.empty() ? "integrator" : settings_.by,
                                "terminal", next, "of each site"));
  recorder_.event(exchange_.done(), "state", "goes on from its record at step " + next);
  pausing_ = true;
  hold_.operator_decides = peers_.real_equipment();
  hold_.resumed_by = settings_.by;
  hold_.reason = "the integrator was restarted";
  hold_.since = times_.now;
  phase_ = Phase::kHeld;
  wait_while_held();
  if (record_.extent().whole + 1 < settings_.steps) return;
  end_.stopped_by = settings_.by;  // who took up a test that was over wants its end
  end(RunResult::kComplete, {});
}

/// While all hold.
void IntegratorNode::go_through_lost_steps() {
  if (!may_go_on()) return recovery_.end_search();  // another one went; it begins again
  const Recovery::Verdict verdict = recovery_.search_some();
  if (verdict == Recovery::Verdict::kLost) return stop_for_lost_steps();
  if (verdict == Recovery::Verdict::kDone) go_on_now();
}

void IntegratorNode::stop_for_lost_steps() {
  fail(RunResult::kStopped, recovery_.why_lost(), "integrator",
       Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

/// Resume was heard by all: first those that lost steps follow them again.
/// @returns whether there is one
bool IntegratorNode::begin_catching_up() {
  if (phase_ == Phase::kCatchingUp) return false;
  if (!recovery_.repetition().anybody_owes()) return false;
  phase_ = Phase::kCatchingUp;
  for (std::size_t site = 0; site < peers_.size(); ++site) remind(site);
  times_.deadline.set(times_.now, settings_.answer);
  return true;
}

/// A site repeats a step that its record had lost: the same bits, or it is another rig.
void IntegratorNode::repeat(SitePeer& peer, std::size_t site,
                            const StepResponse& response) {
  StepRepetition& repetition = recovery_.repetition();
  if (response.session != settings_.session || !repetition.owes(site)) return;
  peer.words.heard(times_.now);
  const StepRepetition::Verdict verdict = repetition.accept(site, response);
  if (verdict == StepRepetition::Verdict::kIgnored) return;
  if (verdict == StepRepetition::Verdict::kDiffers)
    return fail(RunResult::kStopped,
                "site " + peer.name() + " does not repeat its answer to step " +
                    std::to_string(response.step) +
                    "; its record had lost that step, and the rig is not where it was",
                "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
  times_.deadline.set(times_.now, settings_.answer);
  if (repetition.owes(site)) peer.send_again(repetition.next(site), times_.now);
}

void IntegratorNode::catch_up() {
  if (waiting_for_nobody()) run_on();
}

void IntegratorNode::run_on_from_record() {
  const RecordExtent& extent = record_.extent();
  const std::int64_t open = recovery_.open_step();
  const std::int64_t wanted = open - settings_.pace.latency_steps;
  recovery_.leave_record();
  transport_.stamp_with(clock_);
  phase_ = Phase::kRunning;
  if (record_.keeps_ledger()) recovery_.restore_delay_ledger();
  // First what will soon be due, then what only the record lacks.
  exchange_.resend_targets(wanted, open);
  if (open < settings_.steps)
    begin_step(open);
  else
    exchange_.await(open);
  exchange_.resend_targets(extent.whole + 1, wanted);
}

}  // namespace trestle
