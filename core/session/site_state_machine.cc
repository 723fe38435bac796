#include "core/session/site_state_machine.h"

namespace trestle::session {
namespace {

using enum SessionState;

bool legal(SessionState from, SessionState to) noexcept {
  if (to == kFault) return true;
  switch (from) {
    case kOffline:
      return to == kConnected;
    case kConnected:
      return to == kConfigured || to == kOffline;
    case kConfigured:
      return to == kArmed || to == kConfigured || to == kConnected || to == kOffline;
    case kArmed:
      return to == kRunning || to == kConfigured || to == kHolding;
    case kRunning:
      return to == kHolding || to == kStopping;
    case kHolding:
      return to == kRunning || to == kStopping;
    case kStopping:
      return to == kConfigured || to == kHolding;
    case kFault:
      return false;
  }
  return false;
}

}  // namespace

std::string_view name(SessionState state) noexcept {
  switch (state) {
    case kOffline:
      return "OFFLINE";
    case kConnected:
      return "CONNECTED";
    case kConfigured:
      return "CONFIGURED";
    case kArmed:
      return "ARMED";
    case kRunning:
      return "RUNNING";
    case kHolding:
      return "HOLDING";
    case kStopping:
      return "STOPPING";
    case kFault:
      return "FAULT";
  }
  return "?";
}

bool SiteStateMachine::active() const noexcept {
  return in(kArmed) || in(kRunning) || in(kHolding) || in(kStopping) || in(kFault);
}

bool SiteStateMachine::move(SessionState to) noexcept {
  if (!legal(state_, to)) return false;
  state_ = to;
  return true;
}

void SiteStateMachine::clear(bool held) noexcept {
  if (in(kFault)) state_ = held ? kHolding : kConnected;
}

}  // namespace trestle::session
