#pragma once

#include <optional>
#include <string>

#include "site-servers/node/drive_question.h"
#include "site-servers/node/loop_events.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/session_end.h"
#include "site-servers/node/session_setup.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/step_server.h"

namespace trestle::site_node {

/// Resumes a session: after a hold, after a restart of the integrator, or after a restart
/// of the site, from its record. A simulated rig is restored to its state after the last
/// recorded step; real equipment continues from its position.
class SiteRecovery {
 public:
  struct Parts {
    SiteHeartbeats& heartbeats;
    DriveQuestion& question;
    SiteHold& hold;
    StepServer& steps;
    SessionEnd& end;
    LoopEvents& events;
    RigReadiness& readiness;
    SessionSetup& setup;
  };

  SiteRecovery(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  /// After a restart: finds a session that was cut off.
  void find_interrupted();
  /// The integrator wants to resume a test.
  void configure_again(const Configure& message);
  /// The message sets the rig up again, and nothing speaks against it.
  bool sets_up(const Configure& message) const;
  /// A person's hold that the integrator did not know when it said this is told again,
  /// instead of following it. @returns false if none exists
  bool is_held_against(const Resume& resume);
  /// The test continues now.
  void resume(const Resume& resume);

 private:
  void tell_standing_hold();
  void find_older(const Configure& message);
  void doubt_after_release(InterruptedSession& past) const;
  void restore(const Configure& message);
  void restore_rig(InterruptedSession& past);
  void find_drive(InterruptedSession& past);
  std::string refusal_of(const Resume& resume) const;
  std::string refusal_of_test_of(const Configure& message) const;

  SiteParts site_;
  Parts parts_;
  bool agreed_again_ = false;          // after a hold, and not resumed yet
  std::optional<SessionId> restored_;  // from the record, and not resumed yet
};

}  // namespace trestle::site_node
