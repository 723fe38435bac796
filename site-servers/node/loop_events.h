#pragma once

#include "site-servers/node/arming.h"
#include "site-servers/node/drive_question.h"
#include "site-servers/node/session_end.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/step_server.h"

namespace trestle::site_node {

/// Handles the events of the control loop: responses, faults, and its own actions.
class LoopEvents {
 public:
  struct Parts {
    DriveQuestion& question;
    SiteHold& hold;
    StepServer& steps;
    Arming& arming;
    SessionEnd& end;
  };

  LoopEvents(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  /// Follows all events, the oldest first. @returns whether there was one
  bool follow();
  /// The same; then keeps the loop informed of its integrator, and takes note that it holds
  /// by itself.
  bool process();

 private:
  void follow_front();
  bool has_latched_fault() const noexcept;
  void tripped(const Fault& fault);

  SiteParts site_;
  Parts parts_;
};

}  // namespace trestle::site_node
