// The part of IntegratorNode that waits: for whom, until when, and what it says meanwhile.
#include <algorithm>

#include "core/timing/deadline.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

// Exchanges before the run, to compare the clocks by.
constexpr Duration kCompareEvery = std::chrono::milliseconds(20);
// Start-up checks, or a ramp to the safe position at a low rate: a site that goes on
// speaking is waited for so long.
constexpr Duration kLongestWait = std::chrono::minutes(10);
// The disk is a neighbour: a look at the record so often, while a step waits for it.
constexpr Duration kGlance = std::chrono::microseconds(200);

}  // namespace

/// What of this site is waited for.
Awaited IntegratorNode::awaited(std::size_t site) const noexcept {
  const SitePeer& peer = peers_[site];
  const bool offline = peer.session.in(SessionState::kOffline);
  switch (phase_) {
    case Phase::kConnecting:
      if (offline) return Awaited::kHello;
      if (peer.session.in(SessionState::kConnected)) return Awaited::kAgreement;
      return peers_.clock_known(site, times_.now) ? Awaited::kNothing : Awaited::kClock;
    case Phase::kOpening:
      if (peer.session.in(SessionState::kConnected)) return Awaited::kAgreement;
      if (peer.session.in(SessionState::kConfigured))
        return awaits_operator(peer) ? Awaited::kNothing : Awaited::kArmed;
      // Until all are armed nobody was asked to read.
      if (!peer.session.in(SessionState::kRunning)) return Awaited::kNothing;
      return exchange_.has(site) ? Awaited::kNothing : Awaited::kOpeningRead;
    case Phase::kRunning:
      return exchange_.awaited() < 0 || exchange_.has(site) ? Awaited::kNothing
                                                            : Awaited::kAnswer;
    case Phase::kReplaying:
      return Awaited::kNothing;
    case Phase::kHolding:
      return peer.session.held() || peer.session.lost() || peer.session.away() || offline
                 ? Awaited::kNothing
                 : Awaited::kHolding;
    case Phase::kHeld:
      if (peer.session.away() || peer.session.lost()) return Awaited::kReturn;
      return waits_for_operator() || peers_.clock_known(site, times_.now)
                 ? Awaited::kNothing
                 : Awaited::kClock;
    case Phase::kResuming:
      return peer.session.in(SessionState::kRunning) ? Awaited::kNothing
                                                     : Awaited::kResumed;
    case Phase::kCatchingUp:
      return recovery_.repetition().owes(site) ? Awaited::kRepetition : Awaited::kNothing;
    case Phase::kStopping:
      return peer.session.stopped() || peer.session.lost() || offline ? Awaited::kNothing
                                                                      : Awaited::kStopped;
    case Phase::kDone:
      break;
  }
  return Awaited::kNothing;
}

void IntegratorNode::note_waits() noexcept {
  for (std::size_t site = 0; site < peers_.size(); ++site)
    peers_[site].note_wait(awaited(site), exchange_.awaited(), times_.now);
}

bool IntegratorNode::waiting_for_nobody() const noexcept {
  for (std::size_t site = 0; site < peers_.size(); ++site)
    if (awaited(site) != Awaited::kNothing) return false;
  return true;
}

std::string IntegratorNode::waiting_for() const {
  std::string who;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const Awaited what = awaited(site);
    if (what == Awaited::kNothing) continue;
    if (!who.empty()) who += ", ";
    who += std::string(words(what)) + " of site " + peers_[site].name() + " (" +
           peers_[site].where() + ")";
  }
  if (who.empty() && phase_ == Phase::kRunning && awaits_target_)
    return "next target of " + settings_.targets->who();
  return who;
}

void IntegratorNode::check_deadline() {
  if (!times_.deadline.passed(times_.now)) return;
  if (phase_ == Phase::kHolding && end_.leaving) return left();
  if (phase_ == Phase::kOpening && waits_for_arming_ && waiting_for_nobody()) {
    times_.deadline.clear();
    return;
  }
  if (phase_ == Phase::kHolding && pausing_) {
    // Who says nothing is away.
    for (std::size_t site = 0; site < peers_.size(); ++site)
      if (awaited(site) != Awaited::kNothing) peers_[site].session.go_away();
    phase_ = Phase::kHeld;
    wait_while_held();
    return;
  }
  if (phase_ == Phase::kHeld && hold_.operator_decides && !peers_.has_absent_sites() &&
      !peers_.clocks_known(times_.now))
    return back_to_the_operator();
  if (phase_ == Phase::kHolding) return stop_sites();
  if (phase_ == Phase::kStopping) return finish();
  if (phase_ == Phase::kRunning && awaits_target_) return source_silent();
  const std::string who = waiting_for();
  // They get Halt and Stop all the same, but nobody waits for them a second time.
  if (phase_ == Phase::kRunning && settings_.hold > Duration::zero())
    return hold_for_the_silent();
  for (std::size_t site = 0; site < peers_.size(); ++site)
    if (awaited(site) != Awaited::kNothing)
      stays_held() ? peers_[site].session.go_away() : peers_[site].session.set_lost(true);
  if (phase_ == Phase::kHeld || phase_ == Phase::kResuming || phase_ == Phase::kCatchingUp)
    return fail(
        RunResult::kPeerLost,
        hold_.reason + "; the test held for " +
            run_text::duration(times_.now - hold_.since) +
            (who.empty() ? std::string() : ", and there was no " + who) +
            (phase_ == Phase::kHeld ? run_text::clocks(settings_, peers_, times_.now)
                                    : std::string()),
        "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0});
  const bool stepping = phase_ == Phase::kRunning;
  const bool opening = peers_.all_sites_in(SessionState::kRunning);
  const Duration waited = stepping || opening ? settings_.answer : settings_.connect;
  const std::string where =
      stepping ? " to step " + std::to_string(exchange_.awaited()) : std::string();
  const std::string clocks =
      phase_ == Phase::kConnecting ? run_text::clocks(settings_, peers_, times_.now) : "";
  fail(RunResult::kPeerLost,
       "no " + who + where + " within " + run_text::duration(waited) + clocks, "integrator",
       Fault{FaultKind::kPeerSilent, -1, seconds(waited), seconds(waited)});
}

/// It was to go on, and a clock is not known: the test holds, and says so.
void IntegratorNode::back_to_the_operator() {
  hold_.reason = "it cannot go on as " + hold_.resumed_by + " said" +
                 run_text::clocks(settings_, peers_, times_.now);
  hold_.resumed_by.clear();
  recorder_.event(exchange_.done(), "state", "HOLDING: " + hold_.reason);
  wait_while_held();
}

Duration IntegratorNode::longest_wait(Duration usual) const noexcept {
  return std::max(usual, kLongestWait);
}

/// Readings of the system clocks grow old, whatever else is said.
void IntegratorNode::compare_system_clocks(std::size_t site) {
  SitePeer& peer = peers_[site];
  if (!settings_.pace.system_clock || phase_ != Phase::kRunning ||
      times_.now - compared_[site] < settings_.heartbeat)
    return;
  compared_[site] = times_.now;
  peer.say(heartbeat_to(peer));
}

/// A pseudo-dynamic step takes as long as its way: whose control loop goes on is waited
/// for, and nobody speaks for another.
void IntegratorNode::wait_for_the_living() {
  if (awaits_target_) return;
  TimePoint heard = times_.now;
  for (std::size_t site = 0; site < peers_.size(); ++site)
    if (awaited(site) != Awaited::kNothing)
      heard = std::min(heard, peers_[site].words.alive_at());
  times_.deadline.extend(heard, settings_.answer);
}

/// After so much silence of our own; where clocks are compared before the run, or before
/// it goes on, soon.
Duration IntegratorNode::heartbeat_of(std::size_t site) const noexcept {
  const SessionState agreed =
      phase_ == Phase::kHeld ? SessionState::kHolding : SessionState::kConfigured;
  const bool comparing = (phase_ == Phase::kConnecting || phase_ == Phase::kHeld) &&
                         peers_[site].session.in(agreed) &&
                         !peers_.clock_known(site, times_.now);
  return comparing ? std::min(kCompareEvery, settings_.heartbeat) : settings_.heartbeat;
}

void IntegratorNode::send_heartbeats() {
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    if (peer.session.lost() || peer.session.in(SessionState::kOffline)) continue;
    if (peer.silence(times_.now) >= heartbeat_of(site)) remind(site);
    compare_system_clocks(site);
  }
}

/// Says again what the site has not answered; else only that we are there.
void IntegratorNode::remind(std::size_t site) {
  SitePeer& peer = peers_[site];
  const auto send = [&](const SessionMessage& message) {
    peer.send(message, times_.now);
  };
  const SessionId& session = settings_.session;
  const SessionState state = peer.session.state();
  const bool begins = phase_ == Phase::kConnecting || phase_ == Phase::kOpening;
  if (state == SessionState::kConnected && (peer.session.away() || begins))
    introduce(peer);
  else if (phase_ == Phase::kResuming && !peer.session.in(SessionState::kRunning))
    say_resume(peer);
  else if (phase_ == Phase::kCatchingUp && recovery_.repetition().owes(site))
    peer.send_again(recovery_.repetition().next(site), times_.now);
  else if (phase_ == Phase::kOpening && state == SessionState::kConfigured &&
           !awaits_operator(peer))
    send(arm_message(peer));
  else if (phase_ == Phase::kOpening && state == SessionState::kRunning &&
           !exchange_.has(site))
    send(Start{session, times_.zero});
  else if (phase_ == Phase::kRunning && rules_.resends_targets && !unsafe_ &&
           !exchange_.has(site)) {
    exchange_.send_again(site);
  } else if (phase_ == Phase::kHolding && !peer.session.held())
    send(halt_);
  else if (phase_ == Phase::kStopping && !peer.session.stopped())
    send(stop_message());
  else
    send(heartbeat_to(peer));
}

Heartbeat IntegratorNode::heartbeat_to(const SitePeer& peer) const {
  Heartbeat beat;
  beat.session = settings_.session;
  beat.exchange = peer.clock.outgoing(clock_.now());
  if (peer.clock.known()) beat.clock_bound = peer.clock.bound(beat.exchange.sent);
  if (settings_.pace.system_clock && settings_.system_clock)
    if (const auto here = settings_.system_clock()) {
      beat.system = here->system + (beat.exchange.sent - here->own);
      beat.system_bound = here->bound;
    }
  return beat;
}

TimePoint IntegratorNode::next_due() const noexcept {
  TimePoint due = times_.deadline.at();
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    if (!peer.session.lost() && !peer.session.in(SessionState::kOffline))
      due = std::min(due, deadline_after(peer.sent_at(), heartbeat_of(site)));
  }
  if (phase_ != Phase::kRunning) return due;
  // Virtual time stands still meanwhile.
  if (unsafe_)
    due = std::min(due, settings_.pace.virtual_clock ? times_.now : times_.now + kGlance);
  return std::min(due, exchange_.closes());
}

}  // namespace trestle
