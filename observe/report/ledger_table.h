#pragma once

#include <string>

#include "core/evaluation/run_report.h"
#include "observe/report/run_summary.h"

namespace trestle {

/// Where the time of the steps went, for people: a line per site and account that is worth
/// one, the clocks' bounds beside, and what the control loops met. Empty where no time was
/// accounted for.
std::string ledger_table(const RunReport& report, const RunMetadata& facts);

}  // namespace trestle
