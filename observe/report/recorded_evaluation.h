#pragma once

#include <nlohmann/json.hpp>

#include "observe/report/run_data.h"

namespace trestle::report {

/// Returns the content of a run's summary.json, or, if the run has none (the process was
/// killed, the test still holds), the same keys `sites[].tracking`, `criteria` and `peaks`
/// computed from the recorded rows. Then the noise of transducers is not subtracted. Of a
/// long record the peaks are exact, the tracking is that of its window, and there are no
/// criteria.
nlohmann::ordered_json evaluation_of(const RunData& run);

}  // namespace trestle::report
