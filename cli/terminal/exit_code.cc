#include "cli/terminal/exit_code.h"

namespace trestle {

int exit_code(RunResult result) {
  switch (result) {
    case RunResult::kComplete:
      return kExitComplete;
    case RunResult::kStopped:
    case RunResult::kHeld:
      return kExitStopped;
    case RunResult::kSiteLost:
      return kExitPeerLost;
    case RunResult::kRejected:
      return kExitConfiguration;
    case RunResult::kNotFinished:
      break;
  }
  return kExitInternal;
}

}  // namespace trestle
