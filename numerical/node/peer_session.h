#pragma once

#include "core/session/site_state_machine.h"

namespace trestle::integrator_node {

/// The session of one site as the integrator sees it: its progress, and the expected next
/// messages.
class PeerSession {
 public:
  bool in(session::SessionState state) const noexcept { return state_.in(state); }
  session::SessionState state() const noexcept { return state_.state(); }
  bool active() const noexcept { return state_.active(); }

  /// Returns true if the site reported a hold after a Halt, or met the fault itself.
  bool held() const noexcept { return held_; }
  bool stopped() const noexcept { return stopped_; }  ///< it said so
  /// Returns true if the site reported that its rig is held and moves only by a person's
  /// command.
  bool kept() const noexcept { return kept_; }
  /// Returns true if the site answered the end of the test by a process that has not taken
  /// the session up: its rig stands where the process before left it.
  bool started_again() const noexcept { return started_again_; }
  bool lost() const noexcept { return lost_; }  ///< nothing more is expected of it
  /// Held for: it was silent, or restarted, and is not yet back.
  bool away() const noexcept { return away_; }
  bool reconnected() const noexcept { return reconnected_; }  ///< since the test last ran

  void restart() noexcept { state_ = session::SiteStateMachine{}; }
  void begin() noexcept { state_.move(session::SessionState::kConnected); }
  void agree() noexcept { state_.move(session::SessionState::kConfigured); }
  void arm() noexcept { state_.move(session::SessionState::kArmed); }
  /// @returns false if it is not armed
  bool start() noexcept { return state_.move(session::SessionState::kRunning); }

  /// The site is requested to hold. @param met_here  its own message is the cause
  void hold(bool met_here) noexcept {
    held_ = held_ && met_here;
    state_.move(session::SessionState::kHolding);
  }
  void says_held() noexcept { held_ = true; }
  /// It continues.
  void resume() noexcept { state_.move(session::SessionState::kRunning); }
  /// All continue.
  void continue_run() noexcept { held_ = false; }
  /// The site has held since before the integrator restarted.
  void hold_from_record() noexcept;

  void go_away() noexcept { away_ = true; }
  void set_reconnected(bool reconnected) noexcept { reconnected_ = reconnected; }
  /// It is back, and has to agree again before it continues.
  void take_back() noexcept;
  /// It agreed again.
  void hold_again() noexcept;

  /// @param no_record  it was restarted, and says that it has none of this session
  void set_lost(bool lost, bool no_record = false) noexcept {
    lost_ = lost;
    no_record_ = lost && no_record;
  }
  /// The test holds, and cannot continue until that record is brought back.
  bool no_record() const noexcept { return no_record_; }
  void stop() noexcept { stopped_ = true; }
  void keep_held() noexcept { stopped_ = kept_ = true; }
  void stop_started_again() noexcept { stopped_ = started_again_ = true; }
  /// The site ended this session before the integrator restarted.
  void end_before() noexcept;

 private:
  session::SiteStateMachine state_;
  bool held_ = false;
  bool stopped_ = false;
  bool kept_ = false;
  bool started_again_ = false;
  bool lost_ = false;
  bool no_record_ = false;
  bool away_ = false;
  bool reconnected_ = false;
};

}  // namespace trestle::integrator_node
