// The part of SiteNode that says how it is: to the integrator, to people, and to itself.
#include <algorithm>
#include <string_view>

#include "site-servers/node/site_node.h"

namespace trestle {
namespace {

constexpr const char* kMoves = "moves";
constexpr const char* kAsked = "asked to hold";
constexpr const char* kHolds = "holds";

}  // namespace

/// The session is in a state in which the rig shall stay where it is.
bool SiteNode::told_to_rest() const noexcept {
  return session_.in(SessionState::kHolding) || session_.in(SessionState::kFault);
}

const char* SiteNode::rig() const noexcept {
  // Told by another thread, of a rig that does not answer.
  if (adapter_.stalled()) return kAsked;
  if (!loop_.exists()) return "";
  if (!told_to_rest()) {
    const bool driven =
        session_.in(SessionState::kRunning) || session_.in(SessionState::kStopping);
    return driven ? kMoves : "";
  }
  switch (loop_.executor()->motion()) {
    case RigMotion::kMoves:
      return kMoves;
    case RigMotion::kAskedToHold:
      return kAsked;
    case RigMotion::kHolds:
      return kHolds;
  }
  return "";
}

Health SiteNode::health() {
  Health health;
  health.state = name(session_.state());
  health.rig = rig();
  health.step = position_.executed;
  health.cycles = adapter_.cycles();
  health.overdue = adapter_.stalled() ? std::max(adapter_.lasted(), adapter_.overdue())
                                      : Duration::zero();
  if (loop_.executor() != nullptr)
    if (LoopHealth* const loop = loop_.executor()->health()) loop->take(health);
  return health;
}

void SiteNode::say_heartbeat() {
  Heartbeat beat =
      peer_.heartbeat(agreed_.configure.session, agreed_.configure.pace.system_clock);
  beat.health = health();
  told_state_ = session_.state();
  told_rig_ = rig();
  peer_.say_heartbeat(beat);
}

/// Of a state that the integrator did not ask for, and of a rig that now does what it was
/// asked to, it hears at once.
void SiteNode::tell_changes() {
  if (!conversing() || (!told_to_rest() && told_state_ != SessionState::kFault)) return;
  const char* const is = rig();
  if (session_.in(told_state_) && std::string_view(is) == told_rig_) return;
  if (rig_.real_equipment && std::string_view(is) != told_rig_)
    record_.event(position_.executed, "rig", is);
  say_heartbeat();
}

/// The control loop has not completed its cycle: another thread has asked the rig to hold
/// already, and here everybody is told.
void SiteNode::watch_for_stall() {
  if (!adapter_.stalled() || session_.in(SessionState::kFault)) return;
  trip({FaultKind::kStalled, -1, seconds(adapter_.lasted()), seconds(adapter_.patience())});
}

}  // namespace trestle
