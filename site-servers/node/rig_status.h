#pragma once

#include "core/types/message.h"
#include "site-servers/node/site_loop.h"
#include "site-servers/node/site_rig.h"
#include "site-servers/node/site_session.h"
#include "site-servers/node/step_position.h"

namespace trestle {

/// What is known of the rig, for the integrator and for persons.
class RigStatus {
 public:
  /// All outlive this.
  RigStatus(const SiteRig& rig, const SiteSession& session, const SiteLoop& loop,
            const StepPosition& position)
      : rig_(rig), session_(session), loop_(loop), position_(position) {}

  /// "moves"; "asked to hold": nothing confirms it yet; "holds". Empty: the site has asked
  /// nothing of it.
  const char* word() const noexcept;
  /// Of site, rig and control loop since the last one.
  Health health() const;

 private:
  const SiteRig& rig_;
  const SiteSession& session_;
  const SiteLoop& loop_;
  const StepPosition& position_;
};

}  // namespace trestle
