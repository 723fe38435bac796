#include "numerical/node/peer_session.h"

namespace trestle::integrator_node {

void PeerSession::hold_from_record() noexcept {
  arm();
  state_.move(session::SessionState::kHolding);
  held_ = true;
}

void PeerSession::take_back() noexcept {
  away_ = true;
  restart();
  begin();
}

void PeerSession::hold_again() noexcept {
  agree();
  arm();
  state_.move(session::SessionState::kHolding);
  away_ = false;
  held_ = true;
}

void PeerSession::end_before() noexcept {
  begin();
  agree();
  stopped_ = lost_ = true;
}

}  // namespace trestle::integrator_node
