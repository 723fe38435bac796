#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "observe/report/run_data.h"

namespace trestle::report {

/// Returns the content of a run's summary.json, or, if the run has none (the process was
/// killed, the test still holds), the same keys `sites[].tracking`, `criteria` and `peaks`
/// computed from the recorded rows. Then the noise of transducers is not subtracted. Of a
/// long record the peaks are exact, the tracking is that of its window, and there are no
/// criteria.
nlohmann::ordered_json evaluation_of(const RunData& run);

/// ", until step 999" of a run that did not come to its end: what stands beside each number
/// that tells of its steps until then; else empty.
/// @param evaluation  as evaluation_of() gave it
std::string until_words(const nlohmann::ordered_json& evaluation);

}  // namespace trestle::report
