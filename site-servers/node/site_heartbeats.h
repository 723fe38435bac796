#pragma once

#include "site-servers/node/rig_status.h"
#include "site-servers/node/site_parts.h"

namespace trestle {

/// Says to the integrator that the site is there: Hello while none is, then heartbeats,
/// when they are due or when session or rig have changed.
class SiteHeartbeats {
 public:
  SiteHeartbeats(const SiteParts& site, const RigStatus& rig) : site_(site), rig_(rig) {}

  void say_hello();
  void say_heartbeat();
  /// The next change is told, whatever was said before.
  void forget_told_rig() noexcept { told_rig_ = ""; }
  /// At once: a state that the integrator did not ask for, and a rig that now does what it
  /// was asked to do.
  void tell_changes();
  /// @param preparing  the rig gets ready for a test
  void send_due(bool preparing);
  /// When the site must speak, or look, next.
  TimePoint next_due() const noexcept;

 private:
  SiteParts site_;
  const RigStatus& rig_;
  SessionState told_state_ = SessionState::kOffline;
  const char* told_rig_ = "";
};

}  // namespace trestle
