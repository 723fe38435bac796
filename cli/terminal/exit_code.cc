#include "cli/terminal/exit_code.h"

namespace trestle::cli {

int exit_code(evaluation::RunResult result) {
  switch (result) {
    case evaluation::RunResult::kComplete:
      return kExitComplete;
    case evaluation::RunResult::kStopped:
    case evaluation::RunResult::kHeld:
      return kExitStopped;
    case evaluation::RunResult::kSiteLost:
      return kExitPeerLost;
    case evaluation::RunResult::kRejected:
      return kExitConfiguration;
    case evaluation::RunResult::kNotFinished:
      break;
  }
  return kExitInternal;
}

}  // namespace trestle::cli
