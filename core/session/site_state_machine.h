#pragma once

#include <cstdint>
#include <string_view>

namespace trestle::session {

/// States of a site, as both ends see them (docs/reference/bus-protocol.md).
enum class SessionState : std::uint8_t {
  kOffline,
  kConnected,
  kConfigured,
  kArmed,
  kRunning,
  kHolding,
  kStopping,
  kFault,
};

std::string_view name(SessionState state) noexcept;

/// The state of one site and the only legal moves between states. No I/O.
///
///   OFFLINE → CONNECTED → CONFIGURED → ARMED → RUNNING ⇄ HOLDING → STOPPING → CONFIGURED,
///
/// and from any of them FAULT, which is latched: only clear() leaves it, and only a person
/// at the site calls that (P2).
class SiteStateMachine {
 public:
  SessionState state() const noexcept { return state_; }
  bool in(SessionState state) const noexcept { return state_ == state; }

  /// A rig that may be in motion, or is held under load.
  bool active() const noexcept;

  /// Moves on where the move is legal.
  /// @returns false, and stays, where it is not
  bool move(SessionState to) noexcept;

  /// The operator at the site cleared the fault. Any other state is unchanged.
  /// @param held  true: the session continues, in HOLDING; false: it is over, CONNECTED
  void clear(bool held = false) noexcept;

 private:
  SessionState state_ = SessionState::kOffline;
};

}  // namespace trestle::session
