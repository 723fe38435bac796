#pragma once

#include <string>

#include "core/evaluation/run_report.h"

namespace trestle::integrator_node {

/// How a test ends.
struct RunEnd {
  evaluation::RunResult result = evaluation::RunResult::kNotFinished;
  std::string reason;      ///< one sentence; empty if complete
  std::string stopped_by;  ///< the person whose word it is; empty: none's
  bool leaving = false;    ///< this process ends, the test does not
  bool withdrawn = false;  ///< it was to be resumed, and was not
  bool moved = true;       ///< a rig may have been, for this test
  bool over = false;       ///< and cannot be: a site, or a person there, has ended the test
  bool diverged = false;   ///< by a fault that is an instability by itself
  bool limit_met = false;  ///< by a limit

  bool begun() const noexcept { return result != evaluation::RunResult::kNotFinished; }
};

}  // namespace trestle::integrator_node
