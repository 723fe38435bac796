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

/// What of this site is waited for, or null.
const char* IntegratorNode::awaited(std::size_t site) const noexcept {
  const SiteLink& link = links_[site];
  const bool offline = link.session.in(SessionState::kOffline);
  switch (phase_) {
    case Phase::kConnecting:
      if (offline) return "hello";
      if (link.session.in(SessionState::kConnected))
        return "agreement to the configuration";
      return clock_known(site) ? nullptr : "a clock that is known well enough";
    case Phase::kOpening:
      if (link.session.in(SessionState::kConnected))
        return "agreement to the configuration";
      if (link.session.in(SessionState::kConfigured))
        return awaits_operator(link) ? nullptr : "word that it is armed";
      // Until all are armed nobody was asked to read.
      if (!link.session.in(SessionState::kRunning)) return nullptr;
      return barrier_.has(site) ? nullptr : "opening read";
    case Phase::kRunning:
      return awaited_step() < 0 || barrier_.has(site) ? nullptr : "answer";
    case Phase::kReplaying:
      return nullptr;
    case Phase::kHolding:
      return link.held || link.lost || link.away || offline ? nullptr
                                                            : "word that it holds";
    case Phase::kHeld:
      if (link.away || link.lost) return "return";
      return waits_for_operator() || clock_known(site)
                 ? nullptr
                 : "a clock that is known well enough";
    case Phase::kResuming:
      return link.session.in(SessionState::kRunning) ? nullptr : "word that it goes on";
    case Phase::kCatchingUp:
      return link.caught_up < link.again.size() ? "repetition of a step that it lost"
                                                : nullptr;
    case Phase::kStopping:
      return link.stopped || link.lost || offline ? nullptr : "word that it has stopped";
    case Phase::kDone:
      break;
  }
  return nullptr;
}

/// Said again, what is waited for is waited for no shorter.
void IntegratorNode::note_waits() noexcept {
  for (std::size_t site = 0; site < links_.size(); ++site) {
    SiteLink& link = links_[site];
    const char* const what = awaited(site);
    if (what == link.awaited && awaited_step() == link.awaited_step) continue;
    link.awaited = what;
    link.awaited_step = awaited_step();
    link.awaited_since = now_;
  }
}

bool IntegratorNode::waiting_for_nobody() const noexcept {
  for (std::size_t site = 0; site < links_.size(); ++site)
    if (awaited(site) != nullptr) return false;
  return true;
}

std::string IntegratorNode::waiting_for() const {
  std::string who;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    const char* what = awaited(site);
    if (what == nullptr) continue;
    if (!who.empty()) who += ", ";
    who += std::string(what) + " of site " + links_[site].expected.name + " (" +
           links_[site].expected.where + ")";
  }
  if (who.empty() && phase_ == Phase::kRunning && awaits_target_)
    return "next target of " + settings_.targets->who();
  return who;
}

void IntegratorNode::check_deadline() {
  if (!deadline_.passed(now_)) return;
  if (phase_ == Phase::kHolding && leaving_) return left();
  if (phase_ == Phase::kOpening && waits_for_arming_ && waiting_for_nobody()) {
    deadline_.clear();
    return;
  }
  if (phase_ == Phase::kHolding && pausing_) {
    // Who says nothing is away.
    for (std::size_t site = 0; site < links_.size(); ++site)
      if (awaited(site) != nullptr) links_[site].away = true;
    phase_ = Phase::kHeld;
    wait_while_held();
    return;
  }
  if (phase_ == Phase::kHeld && operator_decides_ && !somebody_away() && !clocks_known())
    return back_to_the_operator();
  if (phase_ == Phase::kHolding) return stop_sites();
  if (phase_ == Phase::kStopping) return finish();
  if (phase_ == Phase::kRunning && awaits_target_) return source_silent();
  const std::string who = waiting_for();
  // They get Halt and Stop all the same, but nobody waits for them a second time.
  if (phase_ == Phase::kRunning && settings_.hold > Duration::zero())
    return hold_for_the_silent();
  for (std::size_t site = 0; site < links_.size(); ++site)
    if (awaited(site) != nullptr)
      (stays_held() ? links_[site].away : links_[site].lost) = true;
  if (phase_ == Phase::kHeld || phase_ == Phase::kResuming || phase_ == Phase::kCatchingUp)
    return fail(RunResult::kPeerLost,
                hold_reason_ + "; the test held for " + duration_text(now_ - held_since_) +
                    (who.empty() ? std::string() : ", and there was no " + who) +
                    (phase_ == Phase::kHeld ? clock_sentence() : std::string()),
                "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0});
  const bool stepping = phase_ == Phase::kRunning;
  const bool opening = all_in(SessionState::kRunning);
  const Duration waited = stepping || opening ? settings_.answer : settings_.connect;
  const std::string where =
      stepping ? " to step " + std::to_string(awaited_step()) : std::string();
  const std::string clocks = phase_ == Phase::kConnecting ? clock_sentence() : "";
  fail(RunResult::kPeerLost,
       "no " + who + where + " within " + duration_text(waited) + clocks, "integrator",
       Fault{FaultKind::kPeerSilent, -1, seconds(waited), seconds(waited)});
}

/// It was to go on, and a clock is not known: the test holds, and says so.
void IntegratorNode::back_to_the_operator() {
  hold_reason_ = "it cannot go on as " + resumed_by_ + " said" + clock_sentence();
  resumed_by_.clear();
  recorder_.event(steps_done_, "state", "HOLDING: " + hold_reason_);
  wait_while_held();
}

Duration IntegratorNode::longest_wait(Duration usual) const noexcept {
  return std::max(usual, kLongestWait);
}

/// Readings of the system clocks grow old, whatever else is said.
void IntegratorNode::compare_system_clocks(std::size_t site) {
  SiteLink& link = links_[site];
  if (!settings_.pace.system_clock || phase_ != Phase::kRunning ||
      now_ - link.beat_sent < settings_.heartbeat)
    return;
  link.beat_sent = now_;
  transport_.send(static_cast<int>(site), SessionMessage{heartbeat_to(link)});
}

/// A pseudo-dynamic step takes as long as its way: whose control loop goes on is waited
/// for, and nobody speaks for another.
void IntegratorNode::wait_for_the_living() {
  if (awaits_target_) return;
  TimePoint heard = now_;
  for (std::size_t site = 0; site < links_.size(); ++site)
    if (awaited(site) != nullptr) heard = std::min(heard, links_[site].alive);
  deadline_.extend(heard, settings_.answer);
}

/// After so much silence of our own; where clocks are compared before the run, or before
/// it goes on, soon.
Duration IntegratorNode::heartbeat_of(std::size_t site) const noexcept {
  const SessionState agreed =
      phase_ == Phase::kHeld ? SessionState::kHolding : SessionState::kConfigured;
  const bool comparing = (phase_ == Phase::kConnecting || phase_ == Phase::kHeld) &&
                         links_[site].session.in(agreed) && !clock_known(site);
  return comparing ? std::min(kCompareEvery, settings_.heartbeat) : settings_.heartbeat;
}

void IntegratorNode::send_heartbeats() {
  for (std::size_t site = 0; site < links_.size(); ++site) {
    const SiteLink& link = links_[site];
    if (link.lost || link.session.in(SessionState::kOffline)) continue;
    if (now_ - link.sent >= heartbeat_of(site)) remind(site);
    compare_system_clocks(site);
  }
}

/// Says again what the site has not answered; else only that we are there.
void IntegratorNode::remind(std::size_t site) {
  SiteLink& link = links_[site];
  const int peer = static_cast<int>(site);
  const auto send = [&](const SessionMessage& message) {
    transport_.send(peer, message);
  };
  const SessionId& session = settings_.session;
  const SessionState state = link.session.state();
  link.sent = now_;
  const bool begins = phase_ == Phase::kConnecting || phase_ == Phase::kOpening;
  if (state == SessionState::kConnected && (link.away || begins))
    introduce(link, peer);
  else if (phase_ == Phase::kResuming && !link.session.in(SessionState::kRunning))
    say_resume(link, peer);
  else if (phase_ == Phase::kCatchingUp && link.caught_up < link.again.size())
    transport_.send(peer, link.again[link.caught_up]);
  else if (phase_ == Phase::kOpening && state == SessionState::kConfigured &&
           !awaits_operator(link))
    send(arm_message(link));
  else if (phase_ == Phase::kOpening && state == SessionState::kRunning &&
           !barrier_.has(site))
    send(Start{session, session_zero_});
  else if (phase_ == Phase::kRunning && rules_.resends_targets && !unsafe_ &&
           !barrier_.has(site)) {
    StepCommand& command = commands_of(step_)[site];
    command.exchange = link.book.outgoing(clock_.now());
    transport_.send(peer, command);
  } else if (phase_ == Phase::kHolding && !link.held)
    send(halt_);
  else if (phase_ == Phase::kStopping && !link.stopped)
    send(stop_message());
  else
    send(heartbeat_to(link));
}

Heartbeat IntegratorNode::heartbeat_to(const SiteLink& link) const {
  Heartbeat beat;
  beat.session = settings_.session;
  beat.exchange = link.book.outgoing(clock_.now());
  if (link.book.known()) beat.clock_bound = link.book.bound(beat.exchange.sent);
  if (settings_.pace.system_clock && settings_.system_clock)
    if (const auto here = settings_.system_clock()) {
      beat.system = here->system + (beat.exchange.sent - here->own);
      beat.system_bound = here->bound;
    }
  return beat;
}

TimePoint IntegratorNode::next_due() const noexcept {
  TimePoint due = deadline_.at();
  for (const SiteLink& link : links_)
    if (!link.lost && !link.session.in(SessionState::kOffline))
      due = std::min(due, deadline_after(link.sent, heartbeat_of(static_cast<std::size_t>(
                                                        &link - links_.data()))));
  if (phase_ != Phase::kRunning) return due;
  // Virtual time stands still meanwhile.
  if (unsafe_) due = std::min(due, settings_.pace.virtual_clock ? now_ : now_ + kGlance);
  return std::min(due, answer_deadline());
}

}  // namespace trestle
