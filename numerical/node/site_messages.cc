#include "numerical/node/site_messages.h"

#include <string>
#include <utility>
#include <variant>

#include "core/session/audit_actions.h"
#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
namespace {

/// A person ends the site's server.
bool ends_server(const Halt& halt) {
  return halt.fault.kind == FaultKind::kPeerSilent && !halt.by.empty();
}

}  // namespace

void SiteMessages::handle(const ReceivedMessage& message) {
  if (message.peer < 0 || static_cast<std::size_t>(message.peer) >= run_.peers.size())
    return;
  const auto site = static_cast<std::size_t>(message.peer);
  if (message.kind == ReceivedMessage::Kind::kMalformed)
    note_malformed(run_.peers[site].name() + ": " + message.problem);
  else if (message.kind == ReceivedMessage::Kind::kSession)
    coordinator_.apply(handle(site, message.session));
  else if (message.kind == ReceivedMessage::Kind::kStepResponse &&
           message.response.session == run_.settings.session)
    coordinator_.apply(coordinator_.handler().answered(site, message.response));
}

void SiteMessages::note_malformed(const std::string& text) {
  if (malformed_.due(run_.times.now))
    run_.recording.log.event(run_.exchange.done(), malformed_.kind(),
                             malformed_.sum(run_.times.now));
  if (malformed_.add(run_.times.now, text))
    run_.recording.log.event(run_.exchange.done(), malformed_.kind(), text);
}

PhaseChange SiteMessages::handle(std::size_t site, const SessionMessage& message) {
  PhaseHandler& phase = coordinator_.handler();
  if (const auto* hello = std::get_if<Hello>(&message)) return on_hello(site, *hello);
  if (const auto* refusal = std::get_if<Rejection>(&message))
    return phase.refused(
        site, RunCause{.why = SiteRefused{site, refusal->fault, refusal->reason}});
  if (const auto* busy = std::get_if<Busy>(&message))
    return phase.busy_elsewhere(site, *busy);
  const SessionId& ours = run_.settings.session;
  if (const auto* halt = std::get_if<Halt>(&message)) {
    if (halt->session == ours) return on_halt(site, *halt);
  } else if (const auto* configured = std::get_if<Configured>(&message)) {
    if (configured->session == ours) return on_configured(site, *configured);
  } else if (const auto* armed = std::get_if<Armed>(&message)) {
    if (armed->session == ours) return phase.armed(site, *armed);
  } else if (const auto* beat = std::get_if<Heartbeat>(&message)) {
    if (beat->session == ours) return on_heartbeat(site, *beat);
  } else if (const auto* resumed = std::get_if<Resumed>(&message)) {
    if (resumed->session == ours) return phase.resumed(site, *resumed);
  } else if (const auto* stopped = std::get_if<Stopped>(&message)) {
    if (stopped->session == ours) return phase.stopped(site, *stopped);
  }
  return {};
}

PhaseChange SiteMessages::on_hello(std::size_t site, const Hello& hello) {
  SitePeer& peer = run_.peers[site];
  if (peer.session.stopped()) return {};
  peer.words.restart(run_.times.now);
  return coordinator_.handler().hello(site, hello);
}

PhaseChange SiteMessages::on_configured(std::size_t site, const Configured& configured) {
  SitePeer& peer = run_.peers[site];
  if (peer.session.in(session::SessionState::kConnected)) {
    const bool away = peer.session.away();
    peer.words.tell(
        away ? session::SessionState::kHolding : session::SessionState::kConfigured, "",
        run_.times.now);
    if (away) {
      peer.session.hold_again();
      peer.agreed_again(run_.times.now);
      return {};
    }
  }
  return coordinator_.handler().configured(site, configured);
}

PhaseChange SiteMessages::on_heartbeat(std::size_t site, const Heartbeat& beat) {
  SitePeer& peer = run_.peers[site];
  peer.clock.incoming(beat.exchange, run_.times.received);
  if (run_.settings.pace.system_clock && run_.settings.system_clock &&
      beat.system != TimePoint{})
    if (const auto here = run_.settings.system_clock())
      peer.clock.update_from_system_clocks(
          *here, {beat.exchange.transmit, beat.system, beat.system_bound});
  peer.words.hear(beat.health, run_.times.now);
  record_health(site, beat.health);
  heartbeats_.hear(site, beat.said);
  return coordinator_.handler().heard(site, beat);
}

/// A row that is lost is a failure of the record, which tells its owner.
void SiteMessages::record_health(std::size_t site, const Health& health) {
  if (run_.record.heard(site, health, run_.times.received) !=
      HealthRows::Verdict::kFirstRefused)
    return;
  // A site answers the integrator's own heartbeats: it is not broken where the test asks
  // for more. Nor may anybody be told to end the server of a rig that bears load.
  const bool asked = seconds(run_.settings.heartbeat) * HealthRows::kPerSecond < 1.0;
  run_.recording.log.event(
      run_.exchange.done(), "heartbeats",
      run_.peers[site].name() + " sends more than " +
          std::to_string(HealthRows::kPerSecond) +
          " heartbeats a second; the rest is counted and not recorded: " +
          (asked ? "`deadlines: {heartbeat}` of the test asks for as many"
                 : "hold the test, then look at its site server"));
}

PhaseChange SiteMessages::on_halt(std::size_t site, const Halt& halt) {
  SitePeer& peer = run_.peers[site];
  peer.session.says_held();
  using enum session::SessionState;
  // A server that a person ends has met no fault by that; it may be in one.
  const bool faulted = halt.fault && halt.fault.kind != FaultKind::kStopped &&
                       (!ends_server(halt) || peer.words.says(kFault));
  peer.words.tell(faulted ? kFault : kHolding, "asked to hold", run_.times.now);
  if (ends(run_.phase)) {
    peer.held_at_end = peer.held_at_end || (halt.hold != 0 && halt.hold != peer.heard_hold);
    return {};
  }
  if (halt.hold == 0 || halt.hold != peer.heard_hold) {
    if (halt.hold != 0) peer.heard_hold = halt.hold;
    return judge(site, halt);
  }
  // Told again: the answer was lost, or is under way. A Resume that is out answers it, too.
  if (run_.phase == Phase::kHolding || run_.phase == Phase::kHeld) hold_.resend(peer);
  return {};
}

/// A fault, or a person at the site: without a fault to hold the test, else to end it.
PhaseChange SiteMessages::judge(std::size_t site, const Halt& halt) {
  SitePeer& peer = run_.peers[site];
  const bool a_person_ends = halt.fault.kind == FaultKind::kStopped && !halt.by.empty();
  const bool before_replay = run_.phase == Phase::kReplaying ||
                             (run_.settings.resume && run_.phase == Phase::kConnecting);
  const bool audited = run_.record.is_open() && !halt.by.empty() &&
                       (!before_replay || halt.fault || a_person_ends);
  if (audited) {
    const std::string from = "bus: " + peer.name();
    run_.recording.log.audit(a_person_ends
                                 ? session::audit_stopped(halt.by, from, halt.reason)
                                 : session::audit_held(halt.by, from, halt.reason));
  }
  RunCause cause{.why = SiteHalted{site, halt.fault, halt.reason},
                 .met_by = peer.name(),
                 .fault = halt.fault};
  const bool not_taken_up = run_.settings.resume && run_.phase == Phase::kConnecting;
  const bool complete =
      not_taken_up && !run_.recovery.actuators_where_complete(peer.name()).empty();
  if (a_person_ends) {
    if (complete) return {};  // it is taken up to be ended
    cause.by = halt.by;
    cause.over = not_taken_up;
    return {Trigger::kHalt, std::move(cause)};
  }
  const bool server_ended = ends_server(halt);
  const bool holds = server_ended || run_.peers.real_equipment() || !halt.fault;
  if (under_way(run_.phase) && holds) {
    // A person ended the site's server: it is away until it is started again.
    if (server_ended) peer.session.go_away();
    cause.operator_decides = !server_ended || peer.real_equipment();
    cause.by = halt.by;
    return {Trigger::kHold, std::move(cause)};
  }
  // A person held the rig in its start checks, or ended its server: the test begins again.
  if (run_.phase == Phase::kInitialMeasurement && (server_ended || !halt.fault)) {
    cause.result = evaluation::RunResult::kHeld;
    cause.by = halt.by;
    return {Trigger::kLeave, std::move(cause)};
  }
  if (before_replay && !halt.fault && !halt.by.empty()) {
    hold_.early().add(peer, run_text::sentence(cause.why, run_.settings.sites),
                      session::audit_held(halt.by, "bus: " + peer.name(), halt.reason));
    if (!complete) return {};
    // All steps are done, and its end would move the rig: the next resume does that. Who
    // asked for it reads why not, and the record is not opened.
    hold_.early().answer();
  }
  if (not_taken_up)
    return refuse_to_take_up(peer, halt.over && !complete, std::move(cause));
  return {Trigger::kFail, std::move(cause)};
}

/// Nothing was taken up yet that could be held: it is tried again when that is cleared.
PhaseChange SiteMessages::refuse_to_take_up(const SitePeer& peer, bool over,
                                            RunCause cause) {
  cause.over = over;
  if (peer.words.says(session::SessionState::kFault))
    cause.why = AsSaid{run_text::sentence(cause.why, run_.settings.sites) + "; " +
                       (over ? run_text::over_in_fault(
                                   peer.name(), run_.peers.no_other_server(peer.name()))
                             : run_text::fault_to_clear(peer.name()))};
  cause.result = evaluation::RunResult::kRejected;
  return {Trigger::kEnd, std::move(cause)};
}

}  // namespace trestle::integrator_node
