#pragma once

#include <functional>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "core/evaluation/run_report.h"
#include "studies/campaign/run_results.h"

namespace trestle::campaign {

/// When a run shall end before its time.
struct RunLimits {
  /// Largest magnitude of each interface target, in the order of sites and DOFs [m | rad];
  /// not positive, or absent: none.
  std::vector<double> target_limits;
  std::function<bool()> may_continue;  ///< asked now and then; empty: always
};

/// The result of a run without a record.
struct InMemoryRun {
  evaluation::RunReport report;
  bool abandoned = false;  ///< `may_continue` ended it: it says nothing about the test
  bool stable = false;     ///< came to its end, and its criteria do not say otherwise
  std::string reason;      ///< why not stable, one sentence
  double wall = 0.0;       ///< from the first step to the last [s]
  double processor = 0.0;  ///< of that, what this thread had a processor for [s]
  Results results;
  std::vector<double>
      largest_targets;  ///< per target, in the order of the record [m | rad]
};

/// Nothing of the test is run.
/// @throws ConfigError if a site of the test is served elsewhere, or is real equipment,
/// which a person must arm
void check_all_here(const composition::HybridTestSetup& setup);

/// Runs a test with all its sites in this process, to its end or until it is no longer
/// useful. Writes nothing; the numbers are those of `trestle run`, bit for bit, as far as
/// it runs.
/// @pre check_all_here(setup); the set-up was not run before
InMemoryRun run_in_memory(composition::HybridTestSetup& setup, const RunLimits& watch);

}  // namespace trestle::campaign
