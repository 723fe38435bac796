#pragma once

#include <nlohmann/json.hpp>

#include "observe/report/run_data.h"

namespace trestle {

/// What summary.json says of a run: its own, or if the run ended without one (the process
/// was killed, the test still holds), the same keys `sites[].tracking`, `criteria` and
/// `peaks` computed from the recorded rows. Then noise of transducers is not subtracted.
nlohmann::ordered_json evaluation_of(const RunData& run);

}  // namespace trestle
