#pragma once

#include "core/ports/transport.h"
#include "core/session/event_tally.h"
#include "numerical/node/coordinator.h"
#include "numerical/node/heartbeats.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/run_parts.h"

namespace trestle::integrator_node {

/// Receives the messages of the sites: records what each reports of itself, and passes the
/// message to the present phase. A site's Halt has the same meaning in every phase and is
/// handled here.
class SiteMessages {
 public:
  /// @param coordinator, hold, heartbeats, malformed  outlive this
  SiteMessages(const RunParts& run, Coordinator& coordinator, RunHold& hold,
               Heartbeats& heartbeats, session::EventTally& malformed)
      : run_(run),
        coordinator_(coordinator),
        hold_(hold),
        heartbeats_(heartbeats),
        malformed_(malformed) {}

  void handle(const ReceivedMessage& message);

 private:
  void note_malformed(const std::string& text);
  PhaseChange handle(std::size_t site, const SessionMessage& message);
  PhaseChange on_hello(std::size_t site, const Hello& hello);
  PhaseChange on_configured(std::size_t site, const Configured& configured);
  PhaseChange on_heartbeat(std::size_t site, const Heartbeat& beat);
  void record_health(std::size_t site, const Health& health);
  PhaseChange on_halt(std::size_t site, const Halt& halt);
  PhaseChange judge(std::size_t site, const Halt& halt);
  PhaseChange refuse_to_take_up(const SitePeer& peer, bool over, RunCause cause);

  RunParts run_;
  Coordinator& coordinator_;
  RunHold& hold_;
  Heartbeats& heartbeats_;
  session::EventTally& malformed_;
};

}  // namespace trestle::integrator_node
