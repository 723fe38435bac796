#pragma once

#include "numerical/node/phase_handler.h"

namespace trestle::integrator_node {

/// Decides what a failure, an end or a departure becomes. An end that no person requested
/// leaves a resumable test held. Real equipment moves to its safe position only by a
/// person's command.
class EndRules {
 public:
  explicit EndRules(const RunParts& run) : run_(run) {}

  /// @returns the change with a trigger of the table; kNone: the test ends already
  PhaseChange resolve(PhaseChange change, Phase phase) const;

 private:
  Trigger error_message(RunCause& cause) const;
  Trigger departure(Phase phase, RunCause& cause) const;
  bool withdraws(Phase phase, evaluation::RunResult result) const noexcept;

  RunParts run_;
};

}  // namespace trestle::integrator_node
