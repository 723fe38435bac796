// The part of IntegratorNode that brings the sites from hello to armed, and to rest again.
#include <algorithm>

#include "core/session/audit_words.h"
#include "core/session/busy_sentence.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

/// Faults that are an instability by themselves.
bool is_divergence(FaultKind kind) {
  return kind == FaultKind::kNotFinite || kind == FaultKind::kEnergyError;
}

/// Faults that an instability may have led to, or a limit that is too tight.
bool is_limit(FaultKind kind) {
  switch (kind) {
    case FaultKind::kDisplacementLimit:
    case FaultKind::kRateLimit:
    case FaultKind::kForceLimit:
    case FaultKind::kTrackingError:
    case FaultKind::kTargetLimit:
    case FaultKind::kAccelerationLimit:
      return true;
    default:
      return false;
  }
}

// A site that does not say that it holds is told to stop after so many heartbeats.
constexpr int kHeartbeatsToHold = 2;

}  // namespace

void IntegratorNode::handle(const Incoming& message) {
  if (message.peer < 0 || static_cast<std::size_t>(message.peer) >= peers_.size()) return;
  const auto site = static_cast<std::size_t>(message.peer);
  SitePeer& peer = peers_[site];
  if (message.kind == Incoming::Kind::kMalformed)
    note_malformed(peer.name() + ": " + message.problem);
  else if (message.kind == Incoming::Kind::kStepResponse)
    handle_response(peer, site, message.response);
  else if (message.kind == Incoming::Kind::kSession)
    handle_session(peer, message.session);
}

void IntegratorNode::note_malformed(const std::string& text) {
  if (malformed_.due(times_.now))
    recorder_.event(exchange_.done(), malformed_.kind(), malformed_.sum(times_.now));
  if (malformed_.add(times_.now, text))
    recorder_.event(exchange_.done(), malformed_.kind(), text);
}

void IntegratorNode::handle_session(SitePeer& peer, const SessionMessage& message) {
  if (const auto* hello = std::get_if<Hello>(&message)) return on_hello(peer, *hello);
  if (const auto* refusal = std::get_if<Refusal>(&message))
    return on_refusal(peer, *refusal);
  if (const auto* busy = std::get_if<Busy>(&message)) return on_busy(peer, *busy);
  const SessionId& ours = settings_.session;
  if (const auto* halt = std::get_if<Halt>(&message)) {
    if (halt->session == ours) on_halt(peer, *halt);
  } else if (const auto* configured = std::get_if<Configured>(&message)) {
    if (configured->session == ours) on_configured(peer, *configured);
  } else if (const auto* armed = std::get_if<Armed>(&message)) {
    if (armed->session == ours && phase_ == Phase::kOpening &&
        peer.session.in(SessionState::kConfigured)) {
      peer.session.arm();
      peer.words.tell(SessionState::kArmed, "", times_.now);
      peer.armed(times_.now);
      if (!armed->audit.empty()) recorder_.audit(audit_witness(peer.name(), armed->audit));
    }
  } else if (const auto* beat = std::get_if<Heartbeat>(&message)) {
    if (beat->session == ours) on_heartbeat(peer, *beat);
  } else if (const auto* resumed = std::get_if<Resumed>(&message)) {
    if (resumed->session == ours && phase_ == Phase::kResuming) {
      peer.session.resume();
      peer.words.tell(SessionState::kRunning, "moves", times_.now);
      peer.resume_point.last_step = resumed->last_step;
    }
  } else if (const auto* stopped = std::get_if<Stopped>(&message)) {
    if (stopped->session == ours && phase_ == Phase::kStopping) {
      if (!peer.session.stopped() && record_.is_open() && !stopped->audit.empty())
        recorder_.audit(audit_witness(peer.name(), stopped->audit));
      peer.session.stop();
      // A fault stays latched there.
      if (!peer.session.faulted())
        peer.words.tell(SessionState::kConfigured, "holds", times_.now);
      peer.pace = stopped->pace;
    }
  }
}

void IntegratorNode::on_hello(SitePeer& peer, const Hello& hello) {
  if (peer.session.stopped()) return;
  peer.words.restart(times_.now);
  const bool ending = phase_ == Phase::kHolding && (!pausing_ || end_.leaving);
  if (ending || phase_ == Phase::kStopping || phase_ == Phase::kDone) return;
  const bool stranger = hello.last_session != settings_.session;
  // Before the first step nothing has moved: one that was restarted begins anew, alone. In
  // real time the others may have begun by the clock.
  const bool anew =
      phase_ == Phase::kOpening && stranger && !(rules_.skips_steps && opening_reads_);
  if (phase_ == Phase::kConnecting || anew) {
    // One that had agreed already was restarted: from the beginning. Of a test that goes on
    // it is no stranger then.
    if (stranger && peer.session.active()) peer.session.restart();
    if (peer.session.in(SessionState::kConfigured)) peer.session.restart();
    if (!peer.session.in(SessionState::kOffline)) return;
    const std::string why = refusal_of(hello, settings_, peer.expected());
    if (!why.empty()) {
      peer.say(Refusal{why});
      return end(RunResult::kRefused, why);
    }
    peer.agreement.description = hello.site;
    if (settings_.resume && stranger) {  // it may have our session, too
      peer.resume_point.asked_for_past = true;
      return introduce(peer);
    }
    peer.resume_point.can_resume = !stranger && hello.can_resume;
    peer.resume_point.last_step = stranger ? kOpeningStep : hello.last_step;
    if (const std::string no = refusal_to_resume(peer, stranger, hello); !no.empty())
      return end(RunResult::kRefused, no);
    if (peer.session.stopped()) return;  // it has brought the session to its end
    peer.clock.restart();
    peer.session.begin();
    if (anew) times_.deadline.set(times_.now, settings_.connect);
    return introduce(peer);
  }
  if (phase_ == Phase::kOpening && !stranger) return;
  if (!stranger && hello.can_resume) return welcome_back(peer, hello);
  if (!stranger) return;
  peer.session.set_lost(true);
  fail(RunResult::kPeerLost,
       "site " + peer.name() + " (" + peer.where() + ") was restarted at step " +
           std::to_string(exchange_.done()),
       peer.name(), Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0});
}

/// A test that goes on needs every site's record, but for one whose last step was done:
/// there a site may have brought the session to its end already.
std::string IntegratorNode::refusal_to_resume(SitePeer& peer, bool stranger,
                                              const Hello& hello) {
  if (!settings_.resume || peer.resume_point.can_resume) return {};
  const std::string what = recovery_.actuators_where_complete(peer.name());
  if (what.empty())
    return "site " + peer.name() + " (" + peer.where() + ") cannot go on: " +
           (stranger ? "it has no record of this session that was cut off"
                     : "it has brought this session to its end, at step " +
                           std::to_string(hello.last_step));
  peer.agreement.layout = peer.expected().layout;
  peer.agreement.actuators = actuators_from(what);
  peer.session.end_before();
  return {};
}

void IntegratorNode::introduce(SitePeer& peer) {
  peer.asked(times_.now);
  peer.send(Welcome{kProtocolVersion, settings_.software}, times_.now);
  const bool begins = phase_ == Phase::kConnecting || phase_ == Phase::kOpening;
  const bool again = settings_.resume || !begins;
  peer.send(configure_message(settings_, peer.expected(), again), times_.now);
}

void IntegratorNode::on_configured(SitePeer& peer, const Configured& configured) {
  if (peer.session.in(SessionState::kConnected))
    peer.words.tell(
        peer.session.away() ? SessionState::kHolding : SessionState::kConfigured, "",
        times_.now);
  if (peer.session.away() && peer.session.in(SessionState::kConnected)) {
    peer.session.hold_again();
    return peer.agreed_again(times_.now);
  }
  const bool anew = phase_ == Phase::kOpening;
  if ((phase_ != Phase::kConnecting && !anew) || !peer.session.in(SessionState::kConnected))
    return;
  const Configure asked = configure_message(settings_, peer.expected(), false);
  if (const std::string why =
          take_over(configured, asked, peer.expected(), anew, peer.agreement);
      !why.empty())
    return end(RunResult::kRefused, why);
  peer.agreed(times_.now);
  peer.session.agree();
  if (!anew) return;
  // It looks at its rig again before it says that it is armed, and the rig may move.
  if (peer.real_equipment() && !waits_for_arming_) {
    waits_for_arming_ = true;
    hold_.since = times_.now;
  }
  if (peer.real_equipment()) return;
  peer.ordered(times_.now);
  peer.send(arm_message(peer), times_.now);
}

void IntegratorNode::on_refusal(SitePeer& peer, const Refusal& refusal) {
  const std::string why = "site " + peer.name() + " refuses: " + refusal.reason +
                          run_text::test_limit_note(peer.expected(), refusal.fault);
  if (peer.session.in(SessionState::kOffline)) {
    // Before its hello nothing was asked of it: a late word to somebody else.
    if (!peer.resume_point.asked_for_past || phase_ != Phase::kConnecting) return;
    peer.resume_point.asked_for_past = false;
    const bool complete = refusal_to_resume(peer, true, Hello{}).empty();
    return complete ? void() : end(RunResult::kRefused, why);
  }
  // The others are still asked to hold; it is asked, and refuses, again when they do.
  if (phase_ == Phase::kHolding && pausing_) return;
  if (peer.session.in(SessionState::kConnected))
    peer.session.set_lost(true);  // nothing to stop there
  if (phase_ == Phase::kHeld || phase_ == Phase::kResuming) return held_back(why);
  if (phase_ == Phase::kRunning) {
    fail(RunResult::kStopped, why, peer.name(), Fault{FaultKind::kStopped, -1, 0.0, 0.0});
    end_.limit_met = is_limit(refusal.fault.kind) && !peers_.real_equipment();
    return;
  }
  end(RunResult::kRefused, why);
}

/// Only who has not agreed with the site on anything is meant. A session of our own is one
/// whose integrator before us died: the site becomes free when it has missed it for long
/// enough.
void IntegratorNode::on_busy(const SitePeer& peer, const Busy& busy) {
  if (phase_ != Phase::kConnecting || !peer.session.in(SessionState::kOffline) ||
      peer.resume_point.asked_for_past || busy.session == settings_.session)
    return;
  end(RunResult::kPeerLost, busy_sentence(peer.name(), peer.where(), busy) +
                                "; wait for its end, or ask for it to be stopped");
}

void IntegratorNode::on_halt(SitePeer& peer, const Halt& halt) {
  peer.session.halt(halt.fault && halt.fault.kind != FaultKind::kStopped);
  peer.words.tell(peer.session.faulted() ? SessionState::kFault : SessionState::kHolding,
                  "asked to hold", times_.now);
  const bool under_way = phase_ == Phase::kRunning || phase_ == Phase::kHolding ||
                         phase_ == Phase::kHeld || phase_ == Phase::kResuming ||
                         phase_ == Phase::kCatchingUp;
  const bool unfinished = !end_.begun();
  // A person at the site: without a fault to hold it, else to end it.
  const bool ends = halt.fault.kind == FaultKind::kStopped && !halt.by.empty();
  if (record_.is_open() && unfinished && !halt.by.empty()) {
    const std::string from = "bus: " + peer.name();
    recorder_.audit(ends ? audit_stopped(halt.by, from, halt.reason)
                         : audit_held(halt.by, from, halt.reason));
    if (ends) end_.stopped_by = halt.by;
  }
  if (under_way && unfinished && halt.fault.kind == FaultKind::kPeerSilent &&
      !halt.by.empty()) {
    // That person ended the site's server; it is away until it is started again.
    peer.session.leave();
    return pause(peer.name() + ": " + halt.reason, peer.name(), halt.fault,
                 peer.real_equipment(), halt.by);
  }
  if (under_way && unfinished && !ends && (peers_.real_equipment() || !halt.fault))
    return pause(peer.name() + ": " + halt.reason +
                     run_text::test_limit_note(peer.expected(), halt.fault),
                 peer.name(), halt.fault, true, halt.by);
  const std::string why = peer.name() + ": " + halt.reason +
                          run_text::test_limit_note(peer.expected(), halt.fault);
  // Nothing was taken up yet that could be held: it is tried again when that is cleared.
  if (settings_.resume && phase_ == Phase::kConnecting && !ends)
    return end(RunResult::kRefused, why);
  ends ? bring_down(RunResult::kStopped, why, peer.name(), halt.fault)
       : fail(RunResult::kStopped, why, peer.name(), halt.fault);
}

void IntegratorNode::on_heartbeat(SitePeer& peer, const Heartbeat& beat) {
  peer.clock.incoming(beat.exchange, times_.received);
  if (settings_.pace.system_clock && settings_.system_clock && beat.system != TimePoint{})
    if (const auto here = settings_.system_clock())
      peer.clock.compare_systems(*here,
                                 {beat.exchange.sent, beat.system, beat.system_bound});
  peer.words.hear(beat.health, times_.now);
  if (phase_ == Phase::kHeld) peer.session.set_lost(false);
  if (phase_ == Phase::kRunning && rules_.timeless) wait_for_the_living();
  // Silent for a while, it hears us again, and has no reason for a hello.
  if (phase_ == Phase::kHeld && peer.session.away() &&
      !peer.session.in(SessionState::kConnected))
    agree_again(peer);
  // One that was said before it heard of the hold, or before its rig holds, is no such
  // word.
  const bool not_yet = peer.words.says(SessionState::kRunning) ||
                       (peer.words.says(SessionState::kHolding) &&
                        peer.words.rig() == "asked to hold" && !beat.health.state.empty());
  if ((phase_ == Phase::kHolding || phase_ == Phase::kHeld) && !not_yet)
    peer.session.says_held();
  // A rig that gets ready takes its time: the site says why it cannot, sooner or later.
  if (phase_ == Phase::kConnecting && peer.real_equipment() &&
      peer.session.in(SessionState::kConnected))
    times_.deadline.extend_within_limit(times_.now, settings_.connect);
  // Its start-up checks take their time.
  if (phase_ == Phase::kOpening && peer.real_equipment() &&
      peer.session.in(SessionState::kConfigured))
    times_.deadline.prolong(times_.now, settings_.connect);
  // No person's word ends this test, and such a rig stays where it is.
  if (phase_ == Phase::kStopping && peer.real_equipment() && end_.stopped_by.empty() &&
      beat.health.state == name(SessionState::kHolding))
    peer.session.keep_held();
  if (phase_ == Phase::kStopping && !peer.session.lost())
    times_.deadline.prolong(times_.now, settings_.answer);
}

void IntegratorNode::stop(const std::string& reason) {
  end(RunResult::kStopped, reason);
}

/// No person asked for it.
void IntegratorNode::fail(RunResult result, const std::string& reason,
                          const std::string& met_by, Fault fault) {
  if (end_.begun()) return;
  if (withdraws(result)) return withdraw(result, reason);
  if (settings_.resumable && begun()) {
    end_.diverged = is_divergence(fault.kind) && !peers_.real_equipment();
    end_.limit_met = is_limit(fault.kind) && !peers_.real_equipment();
    return keep_held(result, reason, met_by, fault);
  }
  bring_down(result, reason, met_by, fault);
}

/// Everything comes to rest, and the test to its end.
void IntegratorNode::bring_down(RunResult result, const std::string& reason,
                                const std::string& met_by, Fault fault) {
  if (end_.begun()) return;
  conclude(result, reason);
  end_.diverged = is_divergence(fault.kind);
  end_.limit_met = is_limit(fault.kind);
  // Everyone holds at once; only then does anyone begin to ramp.
  pausing_ = false;
  halt_ = {settings_.session, met_by, fault, exchange_.done(), reason, {}};
  peers_.send(halt_, times_.now);
  phase_ = Phase::kHolding;
  times_.deadline.set(times_.now,
                      std::min(settings_.answer, kHeartbeatsToHold * settings_.heartbeat));
}

void IntegratorNode::end(RunResult result, const std::string& reason) {
  if (end_.begun()) return;
  if (withdraws(result)) return withdraw(result, reason);
  conclude(result, reason);
  stop_sites();
}

/// It was to go on, and has not yet: what keeps it from that ends no session.
bool IntegratorNode::withdraws(RunResult result) const noexcept {
  const bool before = phase_ == Phase::kConnecting || recovery_.from_record();
  return settings_.resume && before &&
         (result == RunResult::kRefused || result == RunResult::kPeerLost);
}

/// Sites hold, and keep their sessions and records as this node does: it may be tried
/// again.
void IntegratorNode::withdraw(RunResult result, const std::string& reason) {
  conclude(result, reason);
  end_.withdrawn = true;
  halt_ = {settings_.session, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0},
           exchange_.done(),  reason,       {}};
  for (SitePeer& peer : peers_)
    if (peer.session.in(SessionState::kRunning)) peer.send(halt_, times_.now);
  if (const std::unique_ptr<Recollection> record = recorder_.recall(settings_.session))
    exchange_.count_done(std::max<std::int64_t>(record->last("answer") + 1, 0));
  record_.let_go();  // not closed: the session stays unfinished
  phase_ = Phase::kDone;
}

void IntegratorNode::conclude(RunResult result, const std::string& reason) {
  end_.result = result;
  end_.reason = result == RunResult::kComplete ? reason : with_first_reason(reason);
  if (record_.is_open())
    recorder_.event(exchange_.done(), result == RunResult::kComplete ? "state" : "fault",
                    reason.empty() ? "STOPPING" : reason);
}

void IntegratorNode::stop_sites() {
  // Before a site ends its session: nobody could say again what is lost now.
  const bool whole =
      end_.result != RunResult::kComplete || !record_.is_open() || record_.flush();
  if (!whole) {
    end_.result = RunResult::kStopped;
    end_.reason = "the record lost a row at its end; it came too fast";
  }
  if (record_.is_open() && end_.stopped_by.empty())
    recorder_.audit(audit_stopped("integrator", "by itself",
                                  end_.reason.empty() ? "complete" : end_.reason));
  peers_.send(stop_message(), times_.now);
  phase_ = Phase::kStopping;
  times_.deadline.set(times_.now, settings_.answer);
  times_.deadline.limit(times_.now, longest_wait(settings_.answer));
}

void IntegratorNode::finish() {
  const std::string who = waiting_for();
  if (!who.empty()) {
    // A rig that may still move is not a test that is complete.
    const std::string silent = "no " + who;
    if (end_.result == RunResult::kComplete) end_.result = RunResult::kPeerLost;
    end_.reason += (end_.reason.empty() ? "" : "; ") + silent;
    if (record_.is_open()) recorder_.event(exchange_.done(), "fault", silent);
  }
  std::string kept_held;
  for (const SitePeer& peer : peers_)
    if (peer.session.kept())
      kept_held += "; the rig of site " + peer.name() +
                   " holds, and moves by a person's word only: trestle stop " +
                   peer.name() + ", there";
  if (!kept_held.empty()) {
    if (end_.result == RunResult::kComplete) end_.result = RunResult::kStopped;
    end_.reason += end_.reason.empty() ? kept_held.substr(2) : kept_held;
    if (record_.is_open()) recorder_.event(exchange_.done(), "fault", kept_held.substr(2));
  }
  if (record_.is_open()) {
    const bool kept = record_.flush();
    if (end_.result == RunResult::kComplete) record_.finish();
    if (malformed_.due(times_.now, true))
      recorder_.event(exchange_.done(), malformed_.kind(), malformed_.sum(times_.now));
    recorder_.event(exchange_.done(), "state", "CONFIGURED");
    // Of a test that can be begun again in its folder nothing is brought to an end.
    if (!end_.leaving) recorder_.close();
    record_.let_go();
    if ((recorder_.failed() || !kept) && end_.result == RunResult::kComplete) {
      end_.result = RunResult::kStopped;
      end_.reason = recorder_.failed()
                        ? recorder_.failure()
                        : "the record lost a row at its end; it came too fast";
    }
  }
  phase_ = Phase::kDone;
}

}  // namespace trestle
