#pragma once

#include "core/ports/record_chunk_source.h"
#include "site-servers/node/arming.h"
#include "site-servers/node/drive_question.h"
#include "site-servers/node/equipment_signals.h"
#include "site-servers/node/fault_clearing.h"
#include "site-servers/node/integrator_messages.h"
#include "site-servers/node/interlock_release.h"
#include "site-servers/node/loop_events.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/rig_status.h"
#include "site-servers/node/session_end.h"
#include "site-servers/node/session_setup.h"
#include "site-servers/node/site_commands.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/site_recovery.h"
#include "site-servers/node/site_status.h"
#include "site-servers/node/step_server.h"

namespace trestle::site_node {

/// The handlers of a site for messages, events of its loop, and operator's commands. A
/// handler knows those above it, and none below.
struct SiteHandlers {
  SiteHandlers(const SiteParts& site, RecordChunkSource* records, const Clock& clock)
      : rig(site.rig, site.session, site.loop, site.position),
        question(
            {site.settings, site.agreed, site.record, site.rig, site.loop, site.session}),
        hold(site, question),
        heartbeats(site, rig),
        steps(site, {heartbeats, hold, clock}),
        arming(site, hold),
        end(site, {heartbeats, hold, steps}),
        events(site, {question, hold, steps, arming, end}),
        readiness(site, heartbeats),
        service(site, readiness, clock),
        setup(site, {steps, arming, readiness, service}),
        recovery(site, {heartbeats, question, hold, steps, end, events, readiness, setup}),
        messages(site, {heartbeats, hold, steps, arming, end, events, readiness, service,
                        setup, recovery, records}),
        release(site, service),
        status(site, {rig, question, readiness, service, end, steps, heartbeats, release}),
        signals(site, service),
        clearing(site, {question, events, status, release}),
        commands(site, {hold, arming, end, readiness, service, clearing, heartbeats, rig}) {
  }
  SiteHandlers(const SiteHandlers&) = delete;
  SiteHandlers& operator=(const SiteHandlers&) = delete;

  RigStatus rig;
  DriveQuestion question;
  SiteHold hold;
  SiteHeartbeats heartbeats;
  StepServer steps;
  Arming arming;
  SessionEnd end;
  LoopEvents events;
  RigReadiness readiness;
  RigService service;
  SessionSetup setup;
  SiteRecovery recovery;
  IntegratorMessages messages;
  InterlockRelease release;
  SiteStatus status;
  EquipmentSignals signals;
  FaultClearing clearing;
  SiteCommands commands;
};

}  // namespace trestle::site_node
