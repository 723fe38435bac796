#pragma once

#include "core/evaluation/run_report.h"

namespace trestle::cli {

/// The exit codes of all commands, which never change.
enum ExitCode : int {
  kExitComplete = 0,
  kExitInternal = 1,
  kExitConfiguration = 2,
  kExitStopped = 3,
  kExitPeerLost = 4,
};

/// Exit code of a run that ended so.
int exit_code(evaluation::RunResult result);

}  // namespace trestle::cli
