#include "numerical/node/site_admission.h"

#include "numerical/node/run_text.h"

namespace trestle::integrator_node {

void SiteAdmission::start_negotiation(SitePeer& peer) {
  peer.asked(run_.times.now);
  peer.send(Welcome{kProtocolVersion, run_.settings.software}, run_.times.now);
  const bool begins =
      run_.phase == Phase::kConnecting || run_.phase == Phase::kInitialMeasurement;
  const bool again = run_.settings.resume || !begins;
  peer.send(configure_message(run_.settings, peer.expected(), again), run_.times.now);
}

void SiteAdmission::renegotiate(SitePeer& peer) {
  hold_.require_operator(peer.real_equipment());
  peer.session.take_back();
  peer.clock.restart();
  start_negotiation(peer);
}

/// The site has ended the session while it was not heard: a person has stopped the test
/// there.
PhaseChange SiteAdmission::end_with(SitePeer& peer, const Hello& hello) {
  peer.session.says_held();
  peer.session.stop();
  return {
      Trigger::kHalt,
      RunCause{.why = AsSaid{run_text::over_at_site(
                   peer.name(), hello.last_step, run_.peers.no_other_server(peer.name()))},
               .met_by = peer.name()}};
}

PhaseChange SiteAdmission::readmit(std::size_t site, const Hello& hello) {
  SitePeer& peer = run_.peers[site];
  if (hello.last_session != run_.settings.session) {
    // It says hello again and again.
    if (peer.session.no_record()) return {};
    peer.session.set_lost(true, /*no_record=*/true);
    return {Trigger::kFail, RunCause{.why = SiteRestarted{site, run_.exchange.done()},
                                     .result = evaluation::RunResult::kSiteLost,
                                     .met_by = peer.name(),
                                     .fault = {.kind = FaultKind::kPeerSilent}}};
  }
  if (peer.session.no_record()) hold_.record_is_back(peer);
  if (!hello.can_resume) return peer.session.away() ? end_with(peer, hello) : PhaseChange{};
  peer.resume_point.can_resume = true;
  peer.session.set_reconnected(true);
  peer.resume_point.last_step = hello.last_step;
  const bool holds = run_.phase == Phase::kReplaying || run_.phase == Phase::kHolding ||
                     run_.phase == Phase::kHeld;
  if (holds) {
    renegotiate(peer);
    return {};
  }
  peer.session.go_away();
  return {Trigger::kHold, RunCause{.why = SiteWasAway{site, hello.last_step},
                                   .fault = {.kind = FaultKind::kPeerSilent},
                                   .operator_decides = peer.real_equipment()}};
}

}  // namespace trestle::integrator_node
