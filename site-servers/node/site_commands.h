#pragma once

#include <optional>
#include <string>

#include "core/types/note.h"
#include "site-servers/node/arming.h"
#include "site-servers/node/fault_clearing.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/rig_status.h"
#include "site-servers/node/session_end.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// The operator's commands to a site. Each is checked, recorded in the audit, and executed,
/// or refused by one sentence. Each function returns that sentence; empty: the command is
/// executed.
class SiteCommands {
 public:
  struct Parts {
    SiteHold& hold;
    Arming& arming;
    SessionEnd& end;
    RigReadiness& readiness;
    RigService& service;
    FaultClearing& clearing;
    SiteHeartbeats& heartbeats;
    const RigStatus& rig;
  };

  SiteCommands(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  // by: user@host; from: where the command came in, "terminal", "signal".
  std::string hold(const std::string& by, const std::string& from,
                   const std::string& reason);
  std::string stop(const std::string& by, const std::string& reason);
  /// @param drive  as of OperatorInterface::clear_from()
  std::string clear(const std::string& by, const std::string& drive);
  std::string note(const std::string& by, Note note);
  /// Arm and resume are commands of the integrator.
  static std::string arm();
  static std::string resume();

  /// The server of the site ends, and the test does not.
  void leave(const std::string& by, const std::string& from, const std::string& reason);

 private:
  std::optional<std::string> end_service(const std::string& why);
  std::string hold_kept(const AuditEntry& said, const std::string& why);

  SiteParts site_;
  Parts parts_;
};

}  // namespace trestle::site_node
