#include "numerical/node/peer_words.h"

namespace trestle::integrator_node {

void PeerWords::restart(TimePoint now) {
  state_.clear();
  rig_.clear();
  health_ = {};
  heard_ = now;
}

void PeerWords::tell(session::SessionState state, const char* rig, TimePoint now) {
  state_ = session::name(state);
  rig_ = rig;
  heard_ = now;
}

void PeerWords::hear(const Health& health, TimePoint now) {
  heard_ = now;
  if (health.state.empty()) {
    alive_ = now;
    if (says(session::SessionState::kRunning)) state_.clear();
    return;
  }
  // Communication alone does not show that the rig is looked after.
  if (health.state == session::name(session::SessionState::kRunning) &&
      health.cycles != cycles_ && health.overdue <= Duration::zero())
    alive_ = now;
  cycles_ = health.cycles;
  state_ = health.state;
  rig_ = health.rig;
  health_ = health;  // of the same rig: vectors of the same length, no memory is taken
}

}  // namespace trestle::integrator_node
