#pragma once

#include "core/types/message.h"
#include "site-servers/node/site_loop.h"
#include "site-servers/node/site_rig.h"
#include "site-servers/node/site_session.h"
#include "site-servers/node/step_position.h"

namespace trestle::site_node {

/// The known state of the rig, for the integrator and for operators.
class RigStatus {
 public:
  /// All outlive this.
  RigStatus(const SiteRig& rig, const SiteSession& session, const SiteLoop& loop,
            const StepPosition& position)
      : rig_(rig), session_(session), loop_(loop), position_(position) {}

  /// "moves"; "asked to hold": not confirmed yet; "holds". Empty: no request.
  const char* word() const noexcept;
  /// Returns the health of site, rig and control loop since the last call.
  Health health() const;

 private:
  const SiteRig& rig_;
  const SiteSession& session_;
  const SiteLoop& loop_;
  const StepPosition& position_;
};

}  // namespace trestle::site_node
