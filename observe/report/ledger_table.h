#pragma once

#include <string>

#include "core/evaluation/run_report.h"
#include "observe/report/run_summary.h"

namespace trestle::report {

/// Formats how the time of the steps was spent: a line for each site and significant
/// account, the bounds of the clock offsets, and the events of the control loops. Empty if
/// the run measured no time.
std::string ledger_table(const evaluation::RunReport& report, const RunMetadata& facts);

}  // namespace trestle::report
