#pragma once

#include <functional>
#include <string>

#include "composition/processes/hybrid_test_setup.h"
#include "composition/processes/integrator_process.h"
#include "core/evaluation/run_report.h"
#include "gateway/operator/operator_server.h"
#include "observe/report/run_summary.h"

namespace trestle::cli {

/// A run as the person at the terminal requested it.
struct ReportedRun {
  composition::IntegratorProcess::Settings process;
  bool json = false;  ///< print the summary as JSON, and nothing else
  /// Reports a run that could not be resumed because a site has ended its test; returns the
  /// exit code. Not set: as any other run.
  std::function<int(const evaluation::RunReport&)> report_over = {};
};

/// Runs a test that is set up, or continues it if its settings say so, and reports it:
/// progress, summary, `summary.json` in the folder.
/// @param operators  of the folder
/// @returns the exit code
int run_and_report(composition::HybridTestSetup& setup,
                   operators::OperatorServer& operators, const ReportedRun& run);

/// Returns the facts in the summary of a run of this test beside the integrator's report.
report::RunMetadata metadata_of(const composition::HybridTestSetup& setup,
                                const std::string& folder);

}  // namespace trestle::cli
