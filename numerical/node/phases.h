#pragma once

#include <cstdint>

#include "core/ports/clock.h"
#include "core/ports/transport.h"
#include "core/session/event_tally.h"
#include "numerical/node/coordinator.h"
#include "numerical/node/end_phase.h"
#include "numerical/node/end_rules.h"
#include "numerical/node/heartbeats.h"
#include "numerical/node/hold_phase.h"
#include "numerical/node/operator_commands.h"
#include "numerical/node/recovery_phase.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/run_status.h"
#include "numerical/node/running_phase.h"
#include "numerical/node/site_admission.h"
#include "numerical/node/startup_phase.h"

namespace trestle::integrator_node {

/// The handlers of all phases, their common parts, and the coordinator that changes the
/// phase.
struct Phases {
  struct Parts {
    std::int64_t& steps;  ///< of the test
    Phase& phase;
    Transport& transport;
    const Clock& clock;
    session::EventTally& malformed;
  };

  Phases(const RunParts& run, const Parts& parts)
      : hold(run),
        admission(run, hold),
        heartbeats(run, admission, parts.clock),
        startup(run, admission),
        running(run, {parts.steps, admission, parts.transport, parts.clock}),
        holding(run, hold, admission),
        recovery(run, {hold, admission, heartbeats}),
        end(run, hold, parts.malformed),
        resumed(run, hold),
        rules(run),
        coordinator(parts.phase,
                    {&startup, &recovery, &startup, &running, &holding, &holding, &holding,
                     &recovery, &end, &end, &end, &end},
                    rules, run.times),
        commands(run, {coordinator, hold, startup, holding, end, heartbeats, resumed}),
        status(run, {hold, startup, running, end, heartbeats, holding}) {}
  Phases(const Phases&) = delete;
  Phases& operator=(const Phases&) = delete;

  RunHold hold;
  SiteAdmission admission;
  Heartbeats heartbeats;
  StartupPhase startup;
  RunningPhase running;
  HoldPhase holding;
  RecoveryPhase recovery;
  EndPhase end;
  ResumeOutcome resumed;
  EndRules rules;
  Coordinator coordinator;
  OperatorCommands commands;
  RunStatus status;
};

}  // namespace trestle::integrator_node
