#pragma once

#include <optional>
#include <string>

#include "core/session/site_state_machine.h"
#include "core/types/message.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/integrator_peer.h"
#include "site-servers/node/site_recorder.h"

namespace trestle::site_node {

/// A person's command to hold at this site, until the integrator has answered it: the
/// message may be lost with its connection. It is told again before the site agrees, and
/// instead of following a word of the integrator that does not know it.
struct UnheardHold {
  AuditEntry said;
  std::int64_t number = 0;  ///< Halt::hold
};

/// The pending activities of a session, beside its state.
struct SessionFlags {
  bool opening = false;    ///< Start came, and its initial measurement is under way
  bool ending = false;     ///< the session ends when the safe action is over
  bool left_held = false;  ///< the integrator has ended the test, and the rig still holds
  bool leaving = false;    ///< the server of the site ends
  std::optional<UnheardHold> unheard_hold = {};
};

/// The one session of a site: its state, why it holds or is in FAULT, and whether its
/// integrator is connected; after a restart, the interrupted session. Sends nothing and
/// moves nothing.
class SiteSession {
 public:
  /// Both outlive this.
  SiteSession(IntegratorPeer& peer, const AgreedTest& agreed)
      : peer_(peer), agreed_(agreed) {}

  session::SessionState state() const noexcept { return state_.state(); }
  bool in(session::SessionState state) const noexcept { return state_.in(state); }
  bool active() const noexcept { return state_.active(); }
  /// @returns false, and stays, where the move is not legal
  bool move(session::SessionState to) noexcept {
    if (!state_.move(to)) return false;
    armed_ = armed_ || to == session::SessionState::kArmed;
    return true;
  }
  /// The rig shall stay where it is.
  bool told_to_rest() const noexcept {
    return in(session::SessionState::kHolding) || in(session::SessionState::kFault);
  }
  SessionFlags& flags() noexcept { return flags_; }
  const SessionFlags& flags() const noexcept { return flags_; }

  // --- its life ---

  /// A session was agreed on and has not ended.
  bool live() const noexcept { return live_; }
  void begin() noexcept;
  /// The session was armed since it began. A fault before that, once cleared, leaves a rig
  /// that nothing moves.
  bool armed() const noexcept { return armed_; }
  /// It is over, or is given up for another one.
  void end() noexcept;
  /// CONNECTED: another session is set up.
  void connect_again() noexcept;
  /// OFFLINE: the next Hello offers another session.
  void go_offline() noexcept { state_ = session::SiteStateMachine{}; }

  /// The number of a hold that a person gives now: no other has it, of no process of this
  /// site.
  std::int64_t number_hold() noexcept;

  // --- a fault that a person clears ---

  /// FAULT until the rig was read. @param reason  why it holds from then on
  void begin_clearing(const std::string& reason);
  bool clearing() const noexcept { return clearing_; }
  /// The fault is there still, or again.
  void give_up_clearing() noexcept { clearing_ = false; }
  /// The rig was read, and nothing is wrong: HOLDING; without a session CONNECTED.
  void finish_clearing();

  // --- its integrator ---

  /// Returns true if the message belongs to this session, and notes that the integrator is
  /// alive.
  bool is_current(const SessionId& session) noexcept;
  bool silent() const noexcept;
  bool conversing() const noexcept { return live_ && !silent(); }

  // --- why it holds or is in FAULT ---

  const std::string& reason() const noexcept { return reason_; }
  /// A fault keeps its reason: an empty one is ignored in FAULT.
  void set_reason(const std::string& reason) {
    if (!reason.empty() || !in(session::SessionState::kFault)) reason_ = reason;
  }
  /// Returns the halt that was reported to the integrator.
  const Halt& halt() const noexcept { return halt_; }
  void latch(Halt halt) { halt_ = std::move(halt); }

  // --- another life of the site ---

  /// The session that was cut off and not resumed yet; nothing: none was.
  std::optional<InterruptedSession>& interrupted() noexcept { return interrupted_; }
  const std::optional<InterruptedSession>& interrupted() const noexcept {
    return interrupted_;
  }
  /// In FAULT, too: until a person has cleared it the site refuses the Resume, with the
  /// reason.
  bool can_resume() const noexcept;

 private:
  IntegratorPeer& peer_;
  const AgreedTest& agreed_;
  session::SiteStateMachine state_;
  bool live_ = false;
  SessionFlags flags_;
  std::string reason_;
  bool clearing_ = false;
  bool armed_ = false;
  std::string reason_when_cleared_;
  Halt halt_;
  std::int64_t last_hold_ = 0;
  std::optional<InterruptedSession> interrupted_;
};

}  // namespace trestle::site_node
