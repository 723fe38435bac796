#include "numerical/node/recovery_phase.h"

#include <string>
#include <utility>

#include "core/session/audit_actions.h"

namespace trestle::integrator_node {

PhaseChange RecoveryPhase::enter(const PhaseChange& /*change*/) {
  if (run().phase == Phase::kReplaying) return begin_replay();
  start_resynchronisation();
  return {};
}

PhaseChange RecoveryPhase::begin_replay() {
  if (run().settings.retell)
    if (std::string why = run().recovery.retell(); !why.empty())
      return {Trigger::kRetold, RunCause{.why = AsSaid{std::move(why)},
                                         .result = evaluation::RunResult::kRejected}};
  run().times.deadline.clear();
  return {};
}

void RecoveryPhase::start_resynchronisation() {
  for (std::size_t site = 0; site < run().peers.size(); ++site)
    parts_.heartbeats.resend_pending_request(*this, site);
  run().times.deadline.set(run().times.now, run().settings.answer);
}

PhaseChange RecoveryPhase::advance() {
  if (run().phase == Phase::kReplaying) return replay();
  if (!is_idle()) return {};
  parts_.hold.release();
  return {Trigger::kAllRun};
}

PhaseChange RecoveryPhase::replay() {
  Recovery& recovery = run().recovery;
  const Recovery::Verdict verdict = recovery.replay_some();
  // A record that is only told again is not closed for what it lacks.
  const Trigger end = run().settings.retell ? Trigger::kRetold : Trigger::kEnd;
  if (verdict == Recovery::Verdict::kOtherTarget)
    return {end, RunCause{.why = OtherTarget{recovery.replayed()},
                          .result = evaluation::RunResult::kRejected}};
  if (verdict == Recovery::Verdict::kLost)
    return {end, RunCause{.why = AnswersNotRecorded{recovery.replayed()},
                          .result = evaluation::RunResult::kRejected}};
  if (verdict != Recovery::Verdict::kDone) return {};
  const std::string& by = run().settings.by;
  if (run().settings.retell) {
    const bool complete = recovery.finish_retelling();
    return {Trigger::kRetold,
            RunCause{.why = TestComplete{},
                     .result = complete ? evaluation::RunResult::kComplete
                                        : evaluation::RunResult::kStopped}};
  }
  parts_.hold.early().answer();
  // The person who began this process may not know of it: the one before has ended.
  if (const auto& held = recovery.site_hold(); held && !parts_.hold.early().any())
    parts_.hold.early().recall(*held);
  const std::string next = std::to_string(recovery.open_step());
  // The command that began this process does not count where a person at a site holds it.
  if (!recovery.stop() && !parts_.hold.early().any())
    run().recording.log.audit(session::audit_resumed(by.empty() ? "integrator" : by,
                                                     "terminal", next, "of each site"));
  run().recording.log.event(run().exchange.done(), "state",
                            "continues from its record at step " + next);
  return {Trigger::kReplayed};
}

PhaseChange RecoveryPhase::expired() {
  if (parts_.hold.waits_for_absent_sites()) return hold_for_silent_sites({});
  std::vector<SiteWait> missing = waits();
  give_up_silent_sites();
  return {Trigger::kFail, parts_.hold.overdue(std::move(missing), {})};
}

Awaited RecoveryPhase::awaited(std::size_t site) const noexcept {
  const bool owes =
      run().phase == Phase::kResynchronising && run().recovery.repetition().owes(site);
  return owes ? Awaited::kRepetition : Awaited::kNothing;
}

bool RecoveryPhase::resend(std::size_t site) {
  if (awaited(site) == Awaited::kNothing) return false;
  peer(site).send_again(run().recovery.repetition().next(site), run().times.now);
  return true;
}

PhaseChange RecoveryPhase::hello(std::size_t site, const Hello& hello) {
  return parts_.admission.readmit(site, hello);
}

PhaseChange RecoveryPhase::refused(std::size_t site, RunCause cause) {
  SitePeer& from = peer(site);
  if (from.session.in(session::SessionState::kOffline)) return {};
  if (from.session.in(session::SessionState::kConnected))
    from.session.set_lost(true);  // nothing to stop there
  cause.result = evaluation::RunResult::kRejected;
  return {Trigger::kEnd, std::move(cause)};
}

/// A site repeats a step that its record had lost: the same bits, or it is another rig.
PhaseChange RecoveryPhase::answered(std::size_t site, const StepResponse& response) {
  StepRepetition& repetition = run().recovery.repetition();
  if (awaited(site) == Awaited::kNothing) return {};
  SitePeer& from = peer(site);
  from.words.heard(run().times.now);
  const StepRepetition::Verdict verdict = repetition.accept(site, response);
  if (verdict == StepRepetition::Verdict::kIgnored) return {};
  if (verdict == StepRepetition::Verdict::kDiffers)
    return {Trigger::kFail, RunCause{.why = OtherAnswer{site, response.step}}};
  run().times.deadline.set(run().times.now, run().settings.answer);
  if (repetition.owes(site)) from.send_again(repetition.next(site), run().times.now);
  return {};
}

}  // namespace trestle::integrator_node
