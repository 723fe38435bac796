#pragma once

#include "core/ports/recording.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/phase.h"
#include "numerical/node/recovery.h"
#include "numerical/node/run_recorder.h"
#include "numerical/node/run_times.h"
#include "numerical/node/site_peers.h"
#include "numerical/node/step_exchange.h"

namespace trestle::integrator_node {

/// The parts that the phases of one test share. All outlive them.
struct RunParts {
  const IntegratorSettings& settings;
  const Phase& phase;  ///< the present one; the Coordinator alone sets it
  SitePeers& peers;
  Recording recording;
  RunRecorder& record;
  RunTimes& times;
  StepExchange& exchange;
  Recovery& recovery;

  /// A rig may have moved for this test: there is something to be resumed.
  bool begun() const noexcept {
    return settings.resume ||
           (phase != Phase::kConnecting && phase != Phase::kInitialMeasurement);
  }
  /// A process with real equipment in its test holds it, however long it takes.
  bool stays_held() const noexcept {
    return settings.resumable && begun() && peers.real_equipment();
  }
};

}  // namespace trestle::integrator_node
