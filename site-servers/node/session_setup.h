#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"
#include "site-servers/node/arming.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/site_schema.h"
#include "site-servers/node/step_server.h"

namespace trestle::site_node {

/// Agrees on a test: answers Configure, makes contract and control loop, and opens the
/// record.
class SessionSetup {
 public:
  struct Parts {
    StepServer& steps;
    Arming& arming;
    RigReadiness& readiness;
    RigService& service;
  };

  SessionSetup(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  /// A new test.
  void configure(const Configure& message);
  /// Why the site takes no such test now, or not this one. Empty: it does.
  std::string refusal_of(const Configure& message) const;
  /// Why the rig is kept for a test that was cut off and is not the one asked for. Empty:
  /// it is not.
  std::string rig_is_kept() const;
  /// It is another test than the present one, and nothing speaks against it.
  bool sets_up(const Configure& message) const;

  // --- of a test that is resumed, too ---

  /// Agrees with the integrator. Records nothing and moves nothing yet.
  /// @throws std::runtime_error  limits, chain or rig do not fit
  void agree(const Configure& message);
  /// Motion, control loop and executor of what was agreed on.
  void make_loop();
  /// It cannot be followed: nothing of it is kept. @param why  a sentence
  void abandon(const std::string& why);
  /// Returns the streams of the session's record; for real equipment, whose state cannot be
  /// restored, with each drive.
  SiteSchema record_schema() const;

 private:
  void begin(const Configure& message);
  void audit() const;
  std::vector<double> rest_bounds() const;
  RigLimits agree_on_limits(const Configure& message, std::vector<std::string>& tightened);

  SiteParts site_;
  Parts parts_;
  std::unique_ptr<Compensator> compensator_;        // until the loop has it
  std::unique_ptr<ActuatorController> controller_;  // the same
};

}  // namespace trestle::site_node
