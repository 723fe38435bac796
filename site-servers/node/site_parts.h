#pragma once

#include "site-servers/node/agreed_test.h"
#include "site-servers/node/integrator_peer.h"
#include "site-servers/node/message_notes.h"
#include "site-servers/node/site_loop.h"
#include "site-servers/node/site_recorder.h"
#include "site-servers/node/site_rig.h"
#include "site-servers/node/site_session.h"
#include "site-servers/node/site_settings.h"
#include "site-servers/node/step_position.h"

namespace trestle::site_node {

/// The parts that the handlers of a site share. All outlive them.
struct SiteParts {
  const SiteSettings& settings;
  SiteRig& rig;
  IntegratorPeer& peer;
  SiteRecorder& record;
  AgreedTest& agreed;
  StepPosition& position;
  MessageNotes& notes;
  SiteLoop& loop;
  SiteSession& session;

  /// An event of the last executed step.
  void note(const char* kind, const std::string& text) const {
    record.event(position.executed, kind, text);
  }
};

}  // namespace trestle::site_node
