#pragma once

#include <string>

#include "observe/report/run_data.h"

namespace trestle::report {

/// A frame of the test as SVG: nodes and members where `numerical.frame` has them, the
/// specimens where a site takes over, and the largest displaced shape, enlarged. A planar
/// frame is seen from the front, a spatial one obliquely.
/// @param effective  text of effective.yaml
/// @returns empty if the test has no frame with coordinates
std::string structure_drawing(const std::string& effective, const RunData& run);

}  // namespace trestle::report
