#pragma once

#include "core/evaluation/run_report.h"
#include "core/ports/operator_interface.h"
#include "numerical/node/end_phase.h"
#include "numerical/node/heartbeats.h"
#include "numerical/node/hold_phase.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/running_phase.h"
#include "numerical/node/startup_phase.h"

namespace trestle::integrator_node {

/// Makes the status of a test, and its report.
class RunStatus {
 public:
  struct Parts {
    const RunHold& hold;
    const StartupPhase& startup;
    const RunningPhase& running;
    const EndPhase& end;
    const Heartbeats& heartbeats;
    const HoldPhase& holding;
  };

  RunStatus(const RunParts& run, const Parts& parts) : run_(run), parts_(parts) {}

  /// @param phase  the present one
  NodeStatus status(const PhaseHandler& phase) const;
  evaluation::RunReport report() const;
  /// The sites that the test waits for: "answer of site east (tcp://lab-east:7001)", or
  /// empty.
  std::string waiting_for(const PhaseHandler& phase) const;
  /// Only a person can let the test continue, without a limit of time.
  bool waits_for_operator() const noexcept;

 private:
  void add_waits_for_sites(const PhaseHandler& phase, NodeStatus& now) const;
  void add_wait_for_disk(NodeStatus& now) const;
  std::vector<PendingWait> disks_of_sites() const;
  void add_waits_for_people(NodeStatus& now) const;
  double time_left() const noexcept;
  std::int64_t steps_planned() const noexcept;
  bool slow_disk() const noexcept;
  bool waits_for_target() const noexcept;
  bool limit_shows_instability() const;

  RunParts run_;
  Parts parts_;
};

}  // namespace trestle::integrator_node
