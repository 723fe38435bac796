// The part of IntegratorNode that brings the sites from hello to armed, and to rest again.
#include <algorithm>

#include "core/session/audit_words.h"
#include "core/session/busy_sentence.h"
#include "core/session/contract.h"
#include "core/session/contract_refusal.h"
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
  if (message.peer < 0 || static_cast<std::size_t>(message.peer) >= links_.size()) return;
  const auto site = static_cast<std::size_t>(message.peer);
  SiteLink& link = links_[site];
  if (message.kind == Incoming::Kind::kMalformed)
    note_malformed(link.expected.name + ": " + message.problem);
  else if (message.kind == Incoming::Kind::kStepResponse)
    handle_response(link, site, message.response);
  else if (message.kind == Incoming::Kind::kSession)
    handle_session(link, message.peer, message.session);
}

void IntegratorNode::note_malformed(const std::string& text) {
  if (malformed_.due(now_))
    recorder_.event(steps_done_, malformed_.kind(), malformed_.sum(now_));
  if (malformed_.add(now_, text)) recorder_.event(steps_done_, malformed_.kind(), text);
}

void IntegratorNode::handle_session(SiteLink& link, int peer,
                                    const SessionMessage& message) {
  if (const auto* hello = std::get_if<Hello>(&message)) return on_hello(link, peer, *hello);
  if (const auto* refusal = std::get_if<Refusal>(&message))
    return on_refusal(link, *refusal);
  if (const auto* busy = std::get_if<Busy>(&message)) return on_busy(link, *busy);
  const SessionId& ours = settings_.session;
  if (const auto* halt = std::get_if<Halt>(&message)) {
    if (halt->session == ours) on_halt(link, *halt);
  } else if (const auto* configured = std::get_if<Configured>(&message)) {
    if (configured->session == ours) on_configured(link, *configured);
  } else if (const auto* armed = std::get_if<Armed>(&message)) {
    if (armed->session == ours && phase_ == Phase::kOpening &&
        link.session.in(SessionState::kConfigured)) {
      link.session.move(SessionState::kArmed);
      link.says(SessionState::kArmed, "", now_);
      link.round_trip = now_ - link.arm_sent;
      // It may have looked at its rig before it answered.
      if (link.book.known() && !link.expected.same_clock)
        link.round_trip = std::min(link.round_trip, 2 * link.book.bound(now_));
      if (!armed->audit.empty())
        recorder_.audit(audit_witness(link.expected.name, armed->audit));
    }
  } else if (const auto* beat = std::get_if<Heartbeat>(&message)) {
    if (beat->session == ours) on_heartbeat(link, peer, *beat);
  } else if (const auto* resumed = std::get_if<Resumed>(&message)) {
    if (resumed->session == ours && phase_ == Phase::kResuming) {
      link.session.move(SessionState::kRunning);
      link.says(SessionState::kRunning, "moves", now_);
      link.faulted = false;
      link.last_step = resumed->last_step;
    }
  } else if (const auto* stopped = std::get_if<Stopped>(&message)) {
    if (stopped->session == ours && phase_ == Phase::kStopping) {
      if (!link.stopped && recording_ && !stopped->audit.empty())
        recorder_.audit(audit_witness(link.expected.name, stopped->audit));
      link.stopped = true;
      // A fault stays latched there.
      if (!link.faulted) link.says(SessionState::kConfigured, "holds", now_);
      link.pace = stopped->pace;
    }
  }
}

void IntegratorNode::on_hello(SiteLink& link, int peer, const Hello& hello) {
  if (link.stopped) return;
  link.said.clear();  // whatever it was, it is another life or another session
  link.rig.clear();
  link.heard = now_;
  const bool ending = phase_ == Phase::kHolding && (!pausing_ || leaving_);
  if (ending || phase_ == Phase::kStopping || phase_ == Phase::kDone) return;
  const bool stranger = hello.last_session != settings_.session;
  // Before the first step nothing has moved: one that was restarted begins anew, alone. In
  // real time the others may have begun by the clock.
  const bool anew =
      phase_ == Phase::kOpening && stranger && !(rules_.skips_steps && opening_reads_);
  if (phase_ == Phase::kConnecting || anew) {
    // One that had agreed already was restarted: from the beginning. Of a test that goes on
    // it is no stranger then.
    if (stranger && link.session.active()) link.session = Session{};
    if (link.session.in(SessionState::kConfigured)) link.session = Session{};
    if (!link.session.in(SessionState::kOffline)) return;
    const std::string why = mismatch(hello, settings_, link);
    if (!why.empty()) {
      transport_.send(peer, SessionMessage{Refusal{why}});
      return end(RunResult::kRefused, why);
    }
    link.description = hello.site;
    link.actuators_said = static_cast<int>(hello.site.actuators.size());
    link.real_equipment = hello.site.real_equipment;
    if (settings_.resume && stranger) {  // it may have our session, too
      link.asked_for_past = true;
      return introduce(link, peer);
    }
    link.can_resume = !stranger && hello.can_resume;
    link.last_step = stranger ? kOpeningStep : hello.last_step;
    if (const std::string no = refusal_to_resume(link, stranger, hello); !no.empty())
      return end(RunResult::kRefused, no);
    if (link.stopped) return;  // it has brought the session to its end
    link.book.restart();
    link.session.move(SessionState::kConnected);
    if (anew) deadline_.set(now_, settings_.connect);
    return introduce(link, peer);
  }
  if (phase_ == Phase::kOpening && !stranger) return;
  if (!stranger && hello.can_resume) return welcome_back(link, peer, hello);
  if (!stranger) return;
  link.lost = true;
  fail(RunResult::kPeerLost,
       "site " + link.expected.name + " (" + link.expected.where +
           ") was restarted at step " + std::to_string(steps_done_),
       link.expected.name, Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0});
}

/// A test that goes on needs every site's record, but for one whose last step was done:
/// there a site may have brought the session to its end already.
std::string IntegratorNode::refusal_to_resume(SiteLink& link, bool stranger,
                                              const Hello& hello) {
  if (!settings_.resume || link.can_resume) return {};
  const std::unique_ptr<Recollection> past = recorder_.recall(settings_.session);
  const bool complete = past != nullptr && settings_.steps > 0 &&
                        past->last("answer") >= settings_.steps - 1 &&
                        past->last("result") >= settings_.steps - 1;
  const std::string what =
      past == nullptr ? std::string() : past->fact("actuators." + link.expected.name);
  if (!complete || what.empty())
    return "site " + link.expected.name + " (" + link.expected.where + ") cannot go on: " +
           (stranger ? "it has no record of this session that was cut off"
                     : "it has brought this session to its end, at step " +
                           std::to_string(hello.last_step));
  link.layout = link.expected.layout;
  link.actuators = actuators_from(what);
  link.session.move(SessionState::kConnected);
  link.session.move(SessionState::kConfigured);
  link.stopped = true;
  link.lost = true;
  return {};
}

void IntegratorNode::introduce(SiteLink& link, int peer) {
  link.sent = link.asked = now_;
  transport_.send(peer, SessionMessage{Welcome{kProtocolVersion, settings_.software}});
  const bool begins = phase_ == Phase::kConnecting || phase_ == Phase::kOpening;
  const bool again = settings_.resume || !begins;
  transport_.send(peer, SessionMessage{configure_message(settings_, link.expected, again)});
}

void IntegratorNode::on_configured(SiteLink& link, const Configured& configured) {
  if (link.session.in(SessionState::kConnected))
    link.says(link.away ? SessionState::kHolding : SessionState::kConfigured, "", now_);
  if (link.away && link.session.in(SessionState::kConnected)) {
    for (const SessionState state :
         {SessionState::kConfigured, SessionState::kArmed, SessionState::kHolding})
      link.session.move(state);
    link.away = false;
    link.held = true;
    link.round_trip = std::max(link.round_trip, now_ - link.asked);
    return;
  }
  const bool anew = phase_ == Phase::kOpening;
  if ((phase_ != Phase::kConnecting && !anew) || !link.session.in(SessionState::kConnected))
    return;
  const std::string before = link.contract;
  std::string why = mismatch(configured, link);
  const Configure asked = configure_message(settings_, link.expected, false);
  if (why.empty()) why = refusal_of_wider(link.expected.name, asked, configured);
  // A site of an older minor version says none.
  if (why.empty() && !configured.contract.empty()) {
    link.contract =
        contract_text(link.description, asked, configured,
                      {link.expected.compensator_words, link.expected.controller_words,
                       stated_by_site(configured.contract)});
    link.contract_hash = contract_hash(link.contract);
    why = refusal_of_contract(link.expected.name, link.contract, configured.contract);
  }
  if (why.empty() && anew)
    if (const std::string change = refusal_of_change(before, link.contract);
        !change.empty())
      why = "site " + link.expected.name + " was restarted: " + change;
  if (!why.empty()) return end(RunResult::kRefused, why);
  link.layout = configured.layout;
  link.actuators = configured.actuators;
  link.tightened = configured.tightened;
  link.round_trip = now_ - link.asked;
  link.session.move(SessionState::kConfigured);
  if (!anew) return;
  // It looks at its rig again before it says that it is armed, and the rig may move.
  if (link.real_equipment && !waits_for_arming_) {
    waits_for_arming_ = true;
    held_since_ = now_;
  }
  if (link.real_equipment) return;
  link.arm_sent = link.sent = now_;
  transport_.send(static_cast<int>(&link - links_.data()),
                  SessionMessage{arm_message(link)});
}

void IntegratorNode::on_refusal(SiteLink& link, const Refusal& refusal) {
  const std::string why = "site " + link.expected.name + " refuses: " + refusal.reason +
                          test_limit_note(link.expected, refusal.fault);
  if (link.session.in(SessionState::kOffline)) {
    // Before its hello nothing was asked of it: a late word to somebody else.
    if (!link.asked_for_past || phase_ != Phase::kConnecting) return;
    link.asked_for_past = false;
    const bool complete = refusal_to_resume(link, true, Hello{}).empty();
    return complete ? void() : end(RunResult::kRefused, why);
  }
  // The others are still asked to hold; it is asked, and refuses, again when they do.
  if (phase_ == Phase::kHolding && pausing_) return;
  if (link.session.in(SessionState::kConnected)) link.lost = true;  // nothing to stop there
  if (phase_ == Phase::kHeld || phase_ == Phase::kResuming) return held_back(why);
  if (phase_ == Phase::kRunning) {
    fail(RunResult::kStopped, why, link.expected.name,
         Fault{FaultKind::kStopped, -1, 0.0, 0.0});
    limit_met_ = is_limit(refusal.fault.kind) && !real_equipment();
    return;
  }
  end(RunResult::kRefused, why);
}

/// Only who has not agreed with the site on anything is meant. A session of our own is one
/// whose integrator before us died: the site becomes free when it has missed it for long
/// enough.
void IntegratorNode::on_busy(const SiteLink& link, const Busy& busy) {
  if (phase_ != Phase::kConnecting || !link.session.in(SessionState::kOffline) ||
      link.asked_for_past || busy.session == settings_.session)
    return;
  end(RunResult::kPeerLost, busy_sentence(link.expected.name, link.expected.where, busy) +
                                "; wait for its end, or ask for it to be stopped");
}

void IntegratorNode::on_halt(SiteLink& link, const Halt& halt) {
  link.held = true;
  link.faulted = halt.fault && halt.fault.kind != FaultKind::kStopped;
  link.says(link.faulted ? SessionState::kFault : SessionState::kHolding, "asked to hold",
            now_);
  const bool under_way = phase_ == Phase::kRunning || phase_ == Phase::kHolding ||
                         phase_ == Phase::kHeld || phase_ == Phase::kResuming ||
                         phase_ == Phase::kCatchingUp;
  const bool unfinished = result_ == RunResult::kUnfinished;
  // A person at the site: without a fault to hold it, else to end it.
  const bool ends = halt.fault.kind == FaultKind::kStopped && !halt.by.empty();
  if (recording_ && unfinished && !halt.by.empty()) {
    const std::string from = "bus: " + link.expected.name;
    recorder_.audit(ends ? audit_stopped(halt.by, from, halt.reason)
                         : audit_held(halt.by, from, halt.reason));
    if (ends) stopped_by_ = halt.by;
  }
  if (under_way && unfinished && halt.fault.kind == FaultKind::kPeerSilent &&
      !halt.by.empty()) {
    // That person ended the site's server; it is away until it is started again.
    link.away = true;
    link.faulted = false;
    return pause(link.expected.name + ": " + halt.reason, link.expected.name, halt.fault,
                 link.real_equipment, halt.by);
  }
  if (under_way && unfinished && !ends && (real_equipment() || !halt.fault))
    return pause(link.expected.name + ": " + halt.reason +
                     test_limit_note(link.expected, halt.fault),
                 link.expected.name, halt.fault, true, halt.by);
  const std::string why =
      link.expected.name + ": " + halt.reason + test_limit_note(link.expected, halt.fault);
  // Nothing was taken up yet that could be held: it is tried again when that is cleared.
  if (settings_.resume && phase_ == Phase::kConnecting && !ends)
    return end(RunResult::kRefused, why);
  ends ? bring_down(RunResult::kStopped, why, link.expected.name, halt.fault)
       : fail(RunResult::kStopped, why, link.expected.name, halt.fault);
}

void IntegratorNode::on_heartbeat(SiteLink& link, int peer, const Heartbeat& beat) {
  link.book.incoming(beat.exchange, received_);
  if (settings_.pace.system_clock && settings_.system_clock && beat.system != TimePoint{})
    if (const auto here = settings_.system_clock())
      link.book.compare_systems(*here,
                                {beat.exchange.sent, beat.system, beat.system_bound});
  hear_health(link, beat.health);
  link.lost = link.lost && phase_ != Phase::kHeld;
  if (phase_ == Phase::kRunning && rules_.timeless) wait_for_the_living();
  // Silent for a while, it hears us again, and has no reason for a hello.
  if (phase_ == Phase::kHeld && link.away && !link.session.in(SessionState::kConnected))
    agree_again(link, peer);
  // One that was said before it heard of the hold, or before its rig holds, is no such
  // word.
  const bool not_yet = link.said == name(SessionState::kRunning) ||
                       (link.said == name(SessionState::kHolding) &&
                        link.rig == "asked to hold" && !beat.health.state.empty());
  if ((phase_ == Phase::kHolding || phase_ == Phase::kHeld) && !not_yet) link.held = true;
  // A rig that gets ready takes its time: the site says why it cannot, sooner or later.
  if (phase_ == Phase::kConnecting && link.real_equipment &&
      link.session.in(SessionState::kConnected))
    deadline_.extend_within_limit(now_, settings_.connect);
  // Its start-up checks take their time.
  if (phase_ == Phase::kOpening && link.real_equipment &&
      link.session.in(SessionState::kConfigured))
    deadline_.prolong(now_, settings_.connect);
  // No person's word ends this test, and such a rig stays where it is.
  if (phase_ == Phase::kStopping && link.real_equipment && stopped_by_.empty() &&
      beat.health.state == name(SessionState::kHolding))
    link.stopped = link.kept = true;
  if (phase_ == Phase::kStopping && !link.lost) deadline_.prolong(now_, settings_.answer);
}

/// How it is, as it says itself; a site of an older minor version only says that it is.
void IntegratorNode::hear_health(SiteLink& link, const Health& health) {
  link.heard = now_;
  if (health.state.empty()) {
    link.alive = now_;
    if (link.said == name(SessionState::kRunning)) link.said.clear();
    return;
  }
  // Communication alone does not show that the rig is looked after.
  if (health.state == name(SessionState::kRunning) && health.cycles != link.cycles &&
      health.overdue <= Duration::zero())
    link.alive = now_;
  link.cycles = health.cycles;
  link.said = health.state;
  link.rig = health.rig;
}

void IntegratorNode::stop(const std::string& reason) {
  end(RunResult::kStopped, reason);
}

/// No person asked for it.
void IntegratorNode::fail(RunResult result, const std::string& reason,
                          const std::string& met_by, Fault fault) {
  if (result_ != RunResult::kUnfinished) return;
  if (withdraws(result)) return withdraw(result, reason);
  if (settings_.resumable && begun()) {
    diverged_ = is_divergence(fault.kind) && !real_equipment();
    limit_met_ = is_limit(fault.kind) && !real_equipment();
    return keep_held(result, reason, met_by, fault);
  }
  bring_down(result, reason, met_by, fault);
}

/// Everything comes to rest, and the test to its end.
void IntegratorNode::bring_down(RunResult result, const std::string& reason,
                                const std::string& met_by, Fault fault) {
  if (result_ != RunResult::kUnfinished) return;
  conclude(result, reason);
  diverged_ = is_divergence(fault.kind);
  limit_met_ = is_limit(fault.kind);
  // Everyone holds at once; only then does anyone begin to ramp.
  pausing_ = false;
  halt_ = {settings_.session, met_by, fault, steps_done_, reason, {}};
  send_to_all(halt_);
  phase_ = Phase::kHolding;
  deadline_.set(now_, std::min(settings_.answer, kHeartbeatsToHold * settings_.heartbeat));
}

void IntegratorNode::end(RunResult result, const std::string& reason) {
  if (result_ != RunResult::kUnfinished) return;
  if (withdraws(result)) return withdraw(result, reason);
  conclude(result, reason);
  stop_sites();
}

/// It was to go on, and has not yet: what keeps it from that ends no session.
bool IntegratorNode::withdraws(RunResult result) const noexcept {
  const bool before = phase_ == Phase::kConnecting || past_ != nullptr;
  return settings_.resume && before &&
         (result == RunResult::kRefused || result == RunResult::kPeerLost);
}

/// Sites hold, and keep their sessions and records as this node does: it may be tried
/// again.
void IntegratorNode::withdraw(RunResult result, const std::string& reason) {
  conclude(result, reason);
  withdrawn_ = true;
  halt_ = {settings_.session, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0},
           steps_done_,       reason,       {}};
  for (std::size_t site = 0; site < links_.size(); ++site)
    if (links_[site].session.in(SessionState::kRunning))
      transport_.send(static_cast<int>(site), SessionMessage{halt_});
  if (const std::unique_ptr<Recollection> record = recorder_.recall(settings_.session))
    steps_done_ = std::max<std::int64_t>(record->last("answer") + 1, 0);
  recording_ = false;  // not closed: the session stays unfinished
  phase_ = Phase::kDone;
}

void IntegratorNode::conclude(RunResult result, const std::string& reason) {
  result_ = result;
  reason_ = result == RunResult::kComplete ? reason : with_first_reason(reason);
  if (recording_)
    recorder_.event(steps_done_, result == RunResult::kComplete ? "state" : "fault",
                    reason.empty() ? "STOPPING" : reason);
}

void IntegratorNode::stop_sites() {
  // Before a site ends its session: nobody could say again what is lost now.
  const bool whole = result_ != RunResult::kComplete || !recording_ || account_->flush();
  if (!whole) {
    result_ = RunResult::kStopped;
    reason_ = "the record lost a row at its end; it came too fast";
  }
  if (recording_ && stopped_by_.empty())
    recorder_.audit(
        audit_stopped("integrator", "by itself", reason_.empty() ? "complete" : reason_));
  send_to_all(stop_message());
  phase_ = Phase::kStopping;
  deadline_.set(now_, settings_.answer);
  deadline_.limit(now_, longest_wait(settings_.answer));
}

void IntegratorNode::finish() {
  const std::string who = waiting_for();
  if (!who.empty()) {
    // A rig that may still move is not a test that is complete.
    const std::string silent = "no " + who;
    if (result_ == RunResult::kComplete) result_ = RunResult::kPeerLost;
    reason_ += (reason_.empty() ? "" : "; ") + silent;
    if (recording_) recorder_.event(steps_done_, "fault", silent);
  }
  std::string kept_held;
  for (const SiteLink& link : links_)
    if (link.kept)
      kept_held += "; the rig of site " + link.expected.name +
                   " holds, and moves by a person's word only: trestle stop " +
                   link.expected.name + ", there";
  if (!kept_held.empty()) {
    if (result_ == RunResult::kComplete) result_ = RunResult::kStopped;
    reason_ += reason_.empty() ? kept_held.substr(2) : kept_held;
    if (recording_) recorder_.event(steps_done_, "fault", kept_held.substr(2));
  }
  if (recording_) {
    const bool kept = account_->flush();
    if (result_ == RunResult::kComplete) criteria_->finish();
    if (malformed_.due(now_, true))
      recorder_.event(steps_done_, malformed_.kind(), malformed_.sum(now_));
    recorder_.event(steps_done_, "state", "CONFIGURED");
    // Of a test that can be begun again in its folder nothing is brought to an end.
    if (!leaving_) recorder_.close();
    recording_ = false;
    if ((recorder_.failed() || !kept) && result_ == RunResult::kComplete) {
      result_ = RunResult::kStopped;
      reason_ = recorder_.failed() ? recorder_.failure()
                                   : "the record lost a row at its end; it came too fast";
    }
  }
  phase_ = Phase::kDone;
}

}  // namespace trestle
