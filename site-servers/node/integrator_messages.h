#pragma once

#include "core/ports/record_chunk_source.h"
#include "core/ports/transport.h"
#include "site-servers/node/arming.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/session_end.h"
#include "site-servers/node/session_setup.h"
#include "site-servers/node/site_recovery.h"

namespace trestle::site_node {

/// Receives the messages of the integrator and passes each to the part that answers it. Any
/// message may be repeated, late, or of another session: it is executed once, answered as
/// before, or changes nothing.
class IntegratorMessages {
 public:
  struct Parts {
    SiteHeartbeats& heartbeats;
    SiteHold& hold;
    StepServer& steps;
    Arming& arming;
    SessionEnd& end;
    LoopEvents& events;
    RigReadiness& readiness;
    const RigService& service;
    SessionSetup& setup;
    SiteRecovery& recovery;
    RecordChunkSource* records;  ///< of the tests before; null: none
  };

  IntegratorMessages(const SiteParts& site, const Parts& parts)
      : site_(site), parts_(parts) {}

  void handle(const ReceivedMessage& message);
  /// Handles the Configure that waited for the rig. @pre the rig gets ready
  /// @returns when to look again
  TimePoint poll_rig();

 private:
  void handle(const SessionMessage& message);
  void on_welcome(const Welcome& welcome);
  void on_configure(const Configure& configure);
  void on_start(const Start& start);
  void on_heartbeat(const Heartbeat& beat);
  void hear_answer(const Halt& halt);
  void on_halt(const Halt& halt);
  void on_request(const RecordRequest& request);
  void on_rejection(const Rejection& rejection);
  void on_step(const StepCommand& command);
  void configure(const Configure& message);
  bool is_too_far(const Start& start);

  SiteParts site_;
  Parts parts_;
};

}  // namespace trestle::site_node
