#include "numerical/node/phase_handler.h"

#include "core/session/audit_actions.h"
#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
namespace {

BadAnswer bad_answer(AnswerVerdict verdict, std::size_t site, const SiteAgreement& agreed,
                     const StepResponse& response) {
  BadAnswer bad{.site = site, .verdict = verdict, .step = response.step};
  if (verdict == AnswerVerdict::kWrongActuators) {
    bad.agreed = agreed.actuators.size();
  } else if (verdict == AnswerVerdict::kWrongDofs) {
    bad.given = static_cast<std::size_t>(response.measured.size());
    bad.agreed = controlled_dofs(agreed.layout);
  } else if (verdict == AnswerVerdict::kWrongForces) {
    bad.given = static_cast<std::size_t>(response.force.size());
    bad.agreed = agreed.layout.size();
  }
  return bad;
}

}  // namespace

bool PhaseHandler::is_idle() const noexcept {
  for (std::size_t site = 0; site < run_.peers.size(); ++site)
    if (awaited(site) != Awaited::kNothing) return false;
  return true;
}

std::vector<SiteWait> PhaseHandler::waits() const {
  std::vector<SiteWait> waits;
  for (std::size_t site = 0; site < run_.peers.size(); ++site)
    if (const Awaited what = awaited(site); what != Awaited::kNothing)
      waits.push_back({site, what});
  return waits;
}

void PhaseHandler::update_pending_waits() noexcept {
  for (std::size_t site = 0; site < run_.peers.size(); ++site)
    peer(site).note_wait(awaited(site), run_.exchange.awaited(), run_.times.now);
}

void PhaseHandler::give_up_silent_sites() noexcept {
  for (std::size_t site = 0; site < run_.peers.size(); ++site) {
    if (awaited(site) == Awaited::kNothing) continue;
    if (run_.stays_held())
      peer(site).session.go_away();
    else
      peer(site).session.set_lost(true);
  }
}

PhaseChange PhaseHandler::overdue(std::optional<std::int64_t> step, Duration waited) {
  WaitOverdue overdue{.waits = waits(), .step = step, .within = waited};
  give_up_silent_sites();
  if (run_.phase == Phase::kConnecting) overdue.clocks = run_text::clocks(run_);
  const double limit = seconds(waited);
  return {Trigger::kFail, RunCause{.why = std::move(overdue),
                                   .result = evaluation::RunResult::kSiteLost,
                                   .fault = {FaultKind::kPeerSilent, -1, limit, limit}}};
}

PhaseChange PhaseHandler::hold_for_silent_sites(std::optional<std::int64_t> step) {
  const Duration within = run_.settings.answer;
  WaitOverdue overdue{.waits = waits(), .step = step, .within = within};
  bool real = false;
  for (const SiteWait& wait : overdue.waits) {
    peer(wait.site).session.go_away();
    real = real || peer(wait.site).real_equipment();
  }
  const double limit = seconds(within);
  return {Trigger::kHold, RunCause{.why = std::move(overdue),
                                   .fault = {FaultKind::kPeerSilent, -1, limit, limit},
                                   .operator_decides = real}};
}

PhaseChange PhaseHandler::accept(std::size_t site, const StepResponse& response) {
  SitePeer& from = peer(site);
  from.clock.incoming(response.exchange, run_.times.received);
  from.words.answered(run_.times.now);
  const AnswerVerdict verdict =
      run_.exchange.accept(site, response, run_.phase == Phase::kRunning);
  if (verdict == AnswerVerdict::kNotUsed) return {};
  if (verdict != AnswerVerdict::kUsed && verdict != AnswerVerdict::kOpening) {
    const FaultKind kind =
        verdict == AnswerVerdict::kNotFinite ? FaultKind::kNotFinite : FaultKind::kStopped;
    return {Trigger::kFail,
            RunCause{.why = bad_answer(verdict, site, from.agreement, response),
                     .fault = {.kind = kind}}};
  }
  from.words.tell(session::SessionState::kRunning, "moves", run_.times.now);
  if (verdict == AnswerVerdict::kOpening) from.read(run_.times.now);
  return {};
}

void PhaseHandler::audit_digest(std::size_t site, const std::string& digest) {
  if (!digest.empty())
    run_.recording.log.audit(session::audit_peer_digest(peer(site).name(), digest));
}

}  // namespace trestle::integrator_node
