// What a person may ask of the integrator, and tell it, while it runs.
#include <limits>

#include "core/session/audit_words.h"
#include "core/types/session_text.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

std::string with_reason(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : what + ": " + reason;
}

}  // namespace

const char* IntegratorNode::phase_name() const noexcept {
  switch (phase_) {
    case Phase::kConnecting:
      return "CONNECTING";
    case Phase::kReplaying:
      return "REPLAYING";
    case Phase::kOpening:
      return "ARMED";
    case Phase::kRunning:
      return "RUNNING";
    case Phase::kHolding:
    case Phase::kHeld:
      return "HOLDING";
    case Phase::kResuming:
    case Phase::kCatchingUp:
      return "RESUMING";
    case Phase::kStopping:
      return "STOPPING";
    case Phase::kDone:
      break;
  }
  return "ENDED";
}

/// What happens when the present wait is over without what is waited for.
const char* IntegratorNode::then() const noexcept {
  switch (phase_) {
    case Phase::kConnecting:
    case Phase::kOpening:
      return "the test does not begin";
    case Phase::kRunning:
      return settings_.hold > Duration::zero() || settings_.resumable
                 ? "the test holds"
                 : "the test is stopped";
    case Phase::kHolding:
      return pausing_ ? "the test holds without it" : "the test is stopped";
    case Phase::kHeld:
    case Phase::kResuming:
    case Phase::kCatchingUp:
      if (!settings_.resumable) return "the test is stopped";
      return peers_.real_equipment()
                 ? "the test holds until the operator decides"
                 : "the integrator ends; the test stays held, to be resumed";
    case Phase::kStopping:
      return "the test ends without that word";
    default:
      return "the test is stopped";
  }
}

Standing IntegratorNode::standing() const {
  Standing now;
  now.node = "integrator";
  now.test = settings_.test;
  now.session = hexadecimal(settings_.session);
  now.state = phase_name();
  now.reason = hold_.reason.empty() ? end_.reason : hold_.reason;
  now.step = exchange_.done() - 1;
  now.steps = settings_.targets == nullptr ? settings_.steps : exchange_.done();
  now.time_step = settings_.time_step;
  const double forever = std::numeric_limits<double>::infinity();
  const double until = times_.deadline.at() == TimePoint::max()
                           ? forever
                           : seconds(times_.deadline.at() - times_.now);
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    const bool heard = peer.words.heard_at() != TimePoint{};
    now.peers.push_back(
        {peer.name(), peer.where(),
         peer.session.away()           ? "AWAY"
         : !peer.words.state().empty() ? peer.words.state()
                                       : std::string(name(peer.session.state())),
         peer.steps - 1, heard ? seconds(times_.now - peer.words.heard_at()) : -1.0,
         peer.words.says(SessionState::kRunning) ? "" : peer.words.rig()});
    const Awaited what = awaited(site);
    if (what == Awaited::kNothing) continue;
    const bool answer = phase_ == Phase::kRunning;
    // After a word of an operator's nobody has looked yet.
    const bool noted = what == peer.wait().what && exchange_.awaited() == peer.wait().step;
    now.waits.push_back(
        {"site " + peer.name() + " (" + peer.where() + ")",
         answer ? words(what) + (" to step " + std::to_string(exchange_.awaited()))
                : words(what),
         noted ? seconds(times_.now - peer.wait().since) : 0.0, until, then()});
  }
  now.rig = rigs();
  if (phase_ == Phase::kRunning && awaits_target_)
    now.waits.push_back({settings_.targets->who(),
                         "target of step " + std::to_string(next_step_),
                         seconds(times_.now - awaits_target_since_), until,
                         "the rigs hold, and the test is stopped"});
  if (waits_for_arming_)
    now.waits.push_back({"the operator", "the word to arm (trestle arm)",
                         seconds(times_.now - hold_.since), forever,
                         "nothing moves before"});
  std::string first;
  for (const SitePeer& peer : peers_)
    if (peer.session.faulted())
      first += (first.empty() ? " when a person at site " : " and ") + peer.name();
  if (!first.empty()) first += " has cleared the fault there (trestle clear)";
  if (phase_ == Phase::kHeld && hold_.needs_word())
    now.waits.push_back(
        {"the operator",
         "the word to go on (trestle resume)" + first + ", or to stop (trestle stop)",
         seconds(times_.now - hold_.since), forever,
         now.rig == "holds" ? "the rigs hold" : "the rigs were asked to hold"});
  return now;
}

/// While it holds: whether all rigs do, as their sites said last; empty where nobody asked
/// them to, or one of them does not say.
std::string IntegratorNode::rigs() const {
  if (phase_ != Phase::kHolding && phase_ != Phase::kHeld) return {};
  std::string all = "holds";
  for (const SitePeer& peer : peers_) {
    if (peer.session.away() || peer.words.rig() == "asked to hold" ||
        peer.words.rig() == "moves")
      return "asked to hold";
    if (peer.words.rig().empty()) all.clear();
  }
  return all;
}

std::string IntegratorNode::arm(const std::string& by) {
  if (!waits_for_arming_)
    return std::string("the test is ") + phase_name() +
           "; nobody has to arm it now (simulated rigs arm themselves)";
  armed_by_ = by;
  if (phase_ == Phase::kOpening) arm_again();
  return {};
}

/// Of real equipment that was restarted before the first step: a person lets it move once
/// more.
bool IntegratorNode::awaits_operator(const SitePeer& peer) const noexcept {
  return waits_for_arming_ && peer.real_equipment();
}

void IntegratorNode::arm_again() {
  for (SitePeer& peer : peers_) {
    if (!peer.real_equipment() || !peer.session.in(SessionState::kConfigured)) continue;
    recorder_.audit(
        audit_armed(armed_by_, "operator channel", peer.agreement.contract_hash));
    peer.ordered(times_.now);
    peer.send(arm_message(peer), times_.now);
  }
  waits_for_arming_ = false;
  times_.deadline.set(times_.now, settings_.connect);
}

std::string IntegratorNode::hold(const std::string& by, const std::string& reason) {
  return hold(by, "operator channel", reason);
}

std::string IntegratorNode::hold(const std::string& by, const std::string& from,
                                 const std::string& reason) {
  const bool runs = phase_ == Phase::kRunning || phase_ == Phase::kResuming ||
                    phase_ == Phase::kCatchingUp;
  // One that would go on without a person, when a site is back.
  const bool would_run = holds() && pausing_ && !end_.leaving && !hold_.needs_word();
  if (!runs && !would_run)
    return std::string("the test is ") + phase_name() + "; only a running one can be held";
  recorder_.audit(audit_held(by, from, reason));
  pause(with_reason("held by " + by, reason), "integrator",
        Fault{FaultKind::kStopped, -1, 0.0, 0.0}, true, by);
  return {};
}

std::string IntegratorNode::resume(const std::string& by) {
  if (phase_ != Phase::kHeld && phase_ != Phase::kHolding)
    return std::string("the test is ") + phase_name() + "; there is nothing to go on with";
  if (!pausing_) return "the test is being stopped: " + end_.reason;
  if (end_.leaving)
    return "the integrator leaves the test, which stays held: " + end_.reason;
  if (!hold_.no_return.empty()) return hold_.no_return;
  recorder_.audit(audit_resumed(by, "operator channel", std::to_string(exchange_.done()),
                                "of each site"));
  hold_.resumed_by = by;  // where a site is away still, when it is back
  if (phase_ == Phase::kHeld) wait_while_held();
  return {};
}

std::string IntegratorNode::stop(const std::string& by, const std::string& reason) {
  return stop(by, "operator channel", reason);
}

std::string IntegratorNode::stop(const std::string& by, const std::string& from,
                                 const std::string& reason) {
  if (end_.begun()) return std::string("the test is ") + phase_name() + " already";
  if (record_.is_open()) recorder_.audit(audit_stopped(by, from, reason));
  end_.stopped_by = by;
  end(RunResult::kStopped, with_reason("stopped by " + by, reason));
  return {};
}

std::string IntegratorNode::clear(const std::string& /*by*/) {
  return "a fault is cleared at its site only, by a person there: trestle clear "
         "SITE-FOLDER";
}

/// Simulated rigs arm themselves; real equipment waits for a person.
bool IntegratorNode::armed_by_somebody() {
  if (settings_.resume || !peers_.real_equipment() || !armed_by_.empty()) {
    if (waits_for_arming_) times_.deadline.set(times_.now, settings_.connect);
    waits_for_arming_ = false;
    return true;
  }
  if (!waits_for_arming_) {
    if (const std::string why = run_text::refusal_to_arm(settings_, peers_); !why.empty()) {
      end(RunResult::kRefused, why);
      return false;
    }
    waits_for_arming_ = true;
    hold_.since = times_.now;
    times_.deadline.clear();
  }
  return false;
}

Arm IntegratorNode::arm_message(const SitePeer& peer) const {
  return {settings_.session, peer.agreement.contract_hash,
          armed_by_.empty() ? settings_.by : armed_by_,
          record_.is_open() ? recorder_.audit_digest() : std::string()};
}

Stop IntegratorNode::stop_message() const {
  return {settings_.session, end_.reason.empty() ? "complete" : end_.reason,
          end_.stopped_by, record_.is_open() ? recorder_.audit_digest() : std::string()};
}

}  // namespace trestle
