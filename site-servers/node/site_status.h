#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ports/operator_interface.h"
#include "site-servers/node/drive_question.h"
#include "site-servers/node/interlock_release.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/rig_status.h"
#include "site-servers/node/session_end.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/step_server.h"

namespace trestle::site_node {

/// The status of a site: its state, and the one thing that it waits for.
class SiteStatus {
 public:
  struct Parts {
    const RigStatus& rig;
    const DriveQuestion& question;
    const RigReadiness& readiness;
    const RigService& service;
    const SessionEnd& end;
    const StepServer& steps;
    const SiteHeartbeats& heartbeats;
    const InterlockRelease& release;
  };

  SiteStatus(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  NodeStatus status() const;
  /// The disk that takes the open step or, once the test is over, the end of the record; no
  /// value: it is not behind.
  std::optional<PendingWait> disk_wait() const;
  /// Returns what a person must do about the latched fault.
  std::string remedy() const;
  /// Notes since when the site waits; once in each tick.
  void note_wait() noexcept;

 private:
  PendingWait wait() const;
  PendingWait wait_in_session(const std::string& held) const;
  /// The wait began in the present state, behind the present step.
  bool is_noted() const noexcept;
  double waits_since() const noexcept;

  SiteParts site_;
  Parts parts_;
  session::SessionState state_ = session::SessionState::kOffline;
  std::int64_t step_ = kInitialStep;
  TimePoint since_{};
};

}  // namespace trestle::site_node
