#include "core/evaluation/run_report.h"

namespace trestle::evaluation {

std::string result_name(RunResult result) {
  switch (result) {
    case RunResult::kComplete:
      return "complete";
    case RunResult::kStopped:
      return "stopped";
    case RunResult::kSiteLost:
      return "peer lost";
    case RunResult::kRejected:
      return "refused";
    case RunResult::kHeld:
      return "held";
    case RunResult::kNotFinished:
      break;
  }
  return "unfinished";
}

}  // namespace trestle::evaluation
