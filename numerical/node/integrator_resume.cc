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
  if (end_.begun()) return;
  hold_.operator_decides = hold_.operator_decides || operator_decides;
  hold_.resumed_by.clear();
  hold_.reason = reason;
  if (hold_.first_reason.empty()) hold_.first_reason = reason;
  recorder_.event(exchange_.done(), "state", "HOLDING: " + reason);
  if (phase_ != Phase::kHolding && phase_ != Phase::kHeld) hold_.since = times_.now;
  halt_ = {settings_.session, met_by, fault, exchange_.done(), reason, by};
  exchange_.misses().forgive();
  for (SitePeer& peer : peers_) {
    if (peer.session.away()) continue;
    peer.session.hold(peer.name() == met_by);
    peer.send(halt_, times_.now);
  }
  pausing_ = true;
  phase_ = Phase::kHolding;
  times_.deadline.set(times_.now,
                      std::min(settings_.answer, kHeartbeatsToHold * settings_.heartbeat));
}

/// A site that a pause or a word of its own cannot bring back.
void IntegratorNode::held_back(const std::string& why) {
  if (hold_.operator_decides && phase_ == Phase::kHeld && hold_.reason == why)
    return;  // again
  if (hold_.operator_decides)
    return pause(why, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0}, true);
  fail(recovery_.from_record() ? RunResult::kRefused : RunResult::kStopped, why,
       "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

/// The answers that are missing are waited for in peace.
void IntegratorNode::hold_for_the_silent() {
  const std::string reason = "no " + waiting_for() + " to step " +
                             std::to_string(exchange_.awaited()) + " within " +
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
  peer.session.set_came_back(true);
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
  hold_.operator_decides = hold_.operator_decides || peer.real_equipment();
  peer.session.take_back();
  peer.clock.restart();
  introduce(peer);
}

bool IntegratorNode::may_go_on() const noexcept {
  if (hold_.needs_word()) return false;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    if (peer.session.away() || peer.session.lost() ||
        !peer.session.in(SessionState::kHolding))
      return false;
    if (!peers_.clock_known(site, times_.now)) return false;
  }
  return true;
}

/// While sites are away, or clocks unknown, there is an end to it; an operator may take his
/// time, and real equipment is held until he says what becomes of it.
void IntegratorNode::wait_while_held() noexcept {
  if (stays_held() && peers_.has_absent_sites()) return times_.deadline.clear();
  if (peers_.has_absent_sites())
    return times_.deadline.set(
        hold_.since, settings_.hold > Duration::zero() ? settings_.hold : settings_.answer);
  const bool told = !hold_.needs_word();
  if (told && !peers_.clocks_known(times_.now))
    return times_.deadline.set(times_.now, settings_.answer);
  times_.deadline.clear();
}

void IntegratorNode::go_on() {
  const Recovery::Verdict verdict = recovery_.search();
  if (verdict == Recovery::Verdict::kLost) return stop_for_lost_steps();
  if (verdict == Recovery::Verdict::kDone) go_on_now();
}

void IntegratorNode::go_on_now() {
  phase_ = Phase::kResuming;
  times_.deadline.set(times_.now, settings_.answer);
  times_.zero = exchange_.schedule().zero_at_resume(
      times_.now, times_.zero, recovery_.open_step(), peers_.longest_round_trip());
  for (SitePeer& peer : peers_) say_resume(peer);
}

void IntegratorNode::say_resume(SitePeer& peer) {
  const std::int64_t wanted =
      std::max<std::int64_t>(recovery_.open_step() - settings_.pace.latency_steps, 0);
  peer.send(Resume{settings_.session, wanted, times_.zero, peer.agreement.contract_hash,
                   hold_.resumed_by},
            times_.now);
}

/// All sites run again.
void IntegratorNode::run_on() {
  recorder_.event(
      exchange_.done(), "state",
      "RUNNING" + (hold_.resumed_by.empty() ? "" : ": resumed by " + hold_.resumed_by));
  pausing_ = false;
  hold_.end();
  for (SitePeer& peer : peers_) peer.session.continue_run();
  exchange_.schedule().resumed(TimePoint{times_.now - times_.zero});
  if (begin_catching_up()) return;
  for (SitePeer& peer : peers_) peer.session.set_came_back(false);
  if (recovery_.from_record()) return run_on_from_record();
  phase_ = Phase::kRunning;
  if (awaits_target_) return await_target(next_step_);
  exchange_.expect();
  exchange_.resend_targets(exchange_.awaited(), exchange_.step());
  // One whose intent is not yet safe goes out when it is.
  if (exchange_.step() < settings_.steps && !unsafe_) exchange_.send();
}

}  // namespace trestle
