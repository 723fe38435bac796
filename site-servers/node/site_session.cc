#include "site-servers/node/site_session.h"

#include <algorithm>
#include <utility>

namespace trestle::site_node {

void SiteSession::begin() noexcept {
  live_ = true;
  armed_ = false;
  peer_.note_sign_of_life();
}

void SiteSession::end() noexcept {
  live_ = false;
  flags_.unheard_hold.reset();  // of this session
  clearing_ = false;
}

void SiteSession::begin_clearing(const std::string& reason) {
  clearing_ = true;
  reason_when_cleared_ = reason;
}

void SiteSession::finish_clearing() {
  if (!std::exchange(clearing_, false)) return;
  state_.clear(live_);
  reason_ = reason_when_cleared_;
}

void SiteSession::connect_again() noexcept {
  state_ = session::SiteStateMachine{};
  state_.move(session::SessionState::kConnected);
}

/// By the clock, which no restart of the process sets back.
std::int64_t SiteSession::number_hold() noexcept {
  last_hold_ =
      std::max<std::int64_t>(last_hold_ + 1, peer_.now().time_since_epoch().count());
  return last_hold_;
}

bool SiteSession::is_current(const SessionId& session) noexcept {
  if (session != agreed_.configure.session || session == SessionId{}) return false;
  peer_.note_sign_of_life();
  return true;
}

bool SiteSession::silent() const noexcept {
  return peer_.silence() >= agreed_.watchdog();
}

bool SiteSession::can_resume() const noexcept {
  return live_ ? told_to_rest() || in(session::SessionState::kRunning)
               : interrupted_.has_value();
}

}  // namespace trestle::site_node
