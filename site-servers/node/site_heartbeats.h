#pragma once

#include <string>

#include "site-servers/node/rig_status.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Says to the integrator that the site is there: Hello while none is, then heartbeats,
/// when they are due or when session or rig have changed.
class SiteHeartbeats {
 public:
  SiteHeartbeats(const SiteParts& site, const RigStatus& rig) : site_(site), rig_(rig) {}

  void say_hello();
  void say_heartbeat();
  /// A person's message to all, now and in each later heartbeat. @pre a session exists
  void announce(const std::string& by, const std::string& text);
  /// What the integrator's heartbeat carries; a new message is recorded, and of thousands
  /// the first ones.
  void hear(const Announcement& said);
  /// The last message of this site or of another node; number 0: none.
  const Announcement& said() const noexcept { return said_; }
  /// Makes the next heartbeat report the rig's state, whatever was reported before.
  void forget_told_rig() noexcept { told_rig_ = ""; }
  /// Sends immediately: a state that the integrator did not request, or the confirmed
  /// motion of the rig.
  void tell_changes();
  /// @param preparing  the rig is being prepared for a test
  void send_due(bool preparing);
  /// When the site must speak, or look, next.
  TimePoint next_due() const noexcept;

  /// A fault that is latched here, to an integrator that comes for a session that is over
  /// or not here any more; without a fault nothing.
  void say_latched_fault(const SessionId& session);
  /// Says that an earlier process of this site has brought a session to its end.
  void say_ended(const SessionId& session, std::int64_t last_step);

 private:
  void forget_earlier_test();

  SiteParts site_;
  const RigStatus& rig_;
  session::SessionState told_state_ = session::SessionState::kOffline;
  const char* told_rig_ = "";
  SessionId session_{};  // of the messages
  Announcement own_;     // to the integrator, last
  Announcement heard_;   // from it, last
  Announcement said_;    // here or elsewhere, last
};

}  // namespace trestle::site_node
