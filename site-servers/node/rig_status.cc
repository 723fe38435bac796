#include "site-servers/node/rig_status.h"

#include <algorithm>
#include <limits>

namespace trestle::site_node {
namespace {

constexpr const char* kMoves = "moves";
constexpr const char* kAsked = "asked to hold";
constexpr const char* kHolds = "holds";

}  // namespace

const char* RigStatus::word() const noexcept {
  // The rig was asked to hold, and does not answer.
  if (!rig_.responds()) return kAsked;
  if (!loop_.exists()) return "";
  if (!session_.told_to_rest()) {
    const bool driven = session_.in(session::SessionState::kRunning) ||
                        session_.in(session::SessionState::kStopping);
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

Health RigStatus::health() const {
  const StallGuard& guard = rig_.guard();
  Health health;
  health.state = session::name(session_.state());
  health.rig = word();
  health.step = position_.executed;
  health.cycles = guard.cycles();
  health.overdue =
      guard.stalled() ? std::max(guard.lasted(), guard.overdue()) : Duration::zero();
  if (loop_.executor() != nullptr)
    if (LoopHealth* const loop = loop_.executor()->health()) loop->take(health);
  if (!guard.stalled()) return health;
  // The thread that reads may be in the rig still: what it read before is old.
  health.mean.clear();
  health.deviation.clear();
  std::fill(health.auxiliary.begin(), health.auxiliary.end(),
            std::numeric_limits<double>::quiet_NaN());
  return health;
}

}  // namespace trestle::site_node
