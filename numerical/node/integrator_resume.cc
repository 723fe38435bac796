// The part of IntegratorNode that holds a test, and goes on with it: after a site was away,
// after an operator's word, and, when it has gone through it, from its own record.
#include <algorithm>

#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

constexpr int kHeartbeatsToHold = 2;

}  // namespace

/// Everyone holds, to go on later.
void IntegratorNode::pause(const std::string& reason, const std::string& met_by,
                           const Fault& fault, bool operator_decides,
                           const std::string& by) {
  if (result_ != RunResult::kUnfinished) return;
  operator_decides_ = operator_decides_ || operator_decides;
  resumed_by_.clear();
  hold_reason_ = reason;
  if (held_first_.empty()) held_first_ = reason;
  recorder_.event(steps_done_, "state", "HOLDING: " + reason);
  if (phase_ != Phase::kHolding && phase_ != Phase::kHeld) held_since_ = now_;
  halt_ = {settings_.session, met_by, fault, steps_done_, reason, by};
  misses_.forgive();
  for (SitePeer& peer : peers_) {
    if (peer.session.away()) continue;
    peer.session.hold(peer.name() == met_by);
    peer.send(halt_, now_);
  }
  pausing_ = true;
  phase_ = Phase::kHolding;
  deadline_.set(now_, std::min(settings_.answer, kHeartbeatsToHold * settings_.heartbeat));
}

/// A site that a pause or a word of its own cannot bring back.
void IntegratorNode::held_back(const std::string& why) {
  if (operator_decides_ && phase_ == Phase::kHeld && hold_reason_ == why) return;  // again
  if (operator_decides_)
    return pause(why, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0}, true);
  fail(past_ != nullptr ? RunResult::kRefused : RunResult::kStopped, why, "integrator",
       Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

/// The answers that are missing are waited for in peace.
void IntegratorNode::hold_for_the_silent() {
  const std::string reason = "no " + waiting_for() + " to step " +
                             std::to_string(awaited_step()) + " within " +
                             run_text::duration(settings_.answer);
  bool real = false;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    if (awaited(site) == Awaited::kNothing) continue;
    peers_[site].session.go_away();
    real = real || peers_[site].real_equipment();
  }
  pause(reason, "integrator",
        Fault{FaultKind::kPeerSilent, -1, seconds(settings_.answer),
              seconds(settings_.answer)},
        real);
}

/// A site was restarted, or held because it heard nothing of us.
void IntegratorNode::welcome_back(SitePeer& peer, const Hello& hello) {
  peer.resume_point.can_resume = true;
  peer.session.come_back();
  peer.resume_point.last_step = hello.last_step;
  const bool under_way = phase_ == Phase::kRunning || phase_ == Phase::kResuming ||
                         phase_ == Phase::kCatchingUp;
  if (under_way) {
    peer.session.go_away();
    pause("site " + peer.name() + " (" + peer.where() + ") was away; its last step is " +
              std::to_string(hello.last_step),
          "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0}, peer.real_equipment());
  }
  agree_again(peer);
}

/// With a site that was away, before it goes on.
void IntegratorNode::agree_again(SitePeer& peer) {
  operator_decides_ = operator_decides_ || peer.real_equipment();
  peer.session.take_back();
  peer.clock.restart();
  introduce(peer);
}

bool IntegratorNode::may_go_on() const noexcept {
  if (operator_decides_ && resumed_by_.empty()) return false;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    if (peer.session.away() || peer.session.lost() ||
        !peer.session.in(SessionState::kHolding))
      return false;
    if (!peers_.clock_known(site, now_)) return false;
  }
  return true;
}

/// While sites are away, or clocks unknown, there is an end to it; an operator may take his
/// time, and real equipment is held until he says what becomes of it.
void IntegratorNode::wait_while_held() noexcept {
  if (stays_held() && peers_.somebody_away()) return deadline_.clear();
  if (peers_.somebody_away())
    return deadline_.set(
        held_since_, settings_.hold > Duration::zero() ? settings_.hold : settings_.answer);
  const bool told = !operator_decides_ || !resumed_by_.empty();
  if (told && !peers_.clocks_known(now_)) return deadline_.set(now_, settings_.answer);
  deadline_.clear();
}

/// The step that is open, or will be when the record was gone through.
std::int64_t IntegratorNode::open_step() const noexcept {
  return past_ != nullptr ? record_.extent().used + 1 : step_;
}

void IntegratorNode::go_on() {
  if (!look_for_lost_steps()) go_on_now();
}

void IntegratorNode::go_on_now() {
  phase_ = Phase::kResuming;
  deadline_.set(now_, settings_.answer);
  session_zero_ = schedule_->zero_at_resume(now_, session_zero_, open_step(),
                                            peers_.longest_round_trip());
  for (SitePeer& peer : peers_) say_resume(peer);
}

void IntegratorNode::say_resume(SitePeer& peer) {
  const std::int64_t wanted =
      std::max<std::int64_t>(open_step() - settings_.pace.latency_steps, 0);
  peer.send(Resume{settings_.session, wanted, session_zero_, peer.agreement.contract_hash,
                   resumed_by_},
            now_);
}

/// All sites run again.
void IntegratorNode::run_on() {
  recorder_.event(steps_done_, "state",
                  "RUNNING" + (resumed_by_.empty() ? "" : ": resumed by " + resumed_by_));
  operator_decides_ = false;
  pausing_ = false;
  resumed_by_.clear();
  hold_reason_.clear();
  held_first_.clear();
  for (SitePeer& peer : peers_) peer.session.run_on();
  schedule_->resumed(TimePoint{now_ - session_zero_});
  if (begin_catching_up()) return;
  for (SitePeer& peer : peers_) peer.session.catch_up();
  if (past_ != nullptr) return run_on_from_record();
  phase_ = Phase::kRunning;
  if (awaits_target_) return await_target(next_step_);
  opened_ = now_;
  deadline_.set(silent_from(), settings_.answer);
  ask_again(awaited_step(), step_);
  // One whose intent is not yet safe goes out when it is.
  if (step_ < settings_.steps && !unsafe_) send_open_step();
}

/// The targets of steps of which not every answer is in. A site that has executed one
/// answers from its record.
void IntegratorNode::ask_again(std::int64_t from, std::int64_t to) {
  for (std::int64_t step = std::max<std::int64_t>(from, 0);
       step < std::min(to, settings_.steps); ++step)
    for (std::size_t site = 0; site < peers_.size(); ++site)
      if (!record_.has(site, step)) send_targets(step, site, schedule_->due_again(step));
}

}  // namespace trestle
