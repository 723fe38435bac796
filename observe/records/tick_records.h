#pragma once

#include <vector>

#include "observe/records/run_record.h"

namespace trestle::records {

/// The sites whose journal keeps control ticks, in the order of the run.
/// @throws std::runtime_error if the journal of a site is missing, or no site kept any;
///         the sentence says how to get them
std::vector<const RecordedSite*> tick_records(const RunRecord& run);

}  // namespace trestle::records
