#pragma once

#include <string>
#include <vector>

#include "core/types/record.h"
#include "observe/plot/figure.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// Name and unit of each coefficient that a site's ticks hold of its compensator, whatever
/// the actuator: "a1_s".
Channels recorded_coefficients(const RecordedSiteData& site);

/// The history of each of them, a chart per coefficient with a line per actuator.
/// @param end  of the run [s]
/// @returns a figure without rows if none is recorded
plot::Figure coefficient_figure(const RecordedSiteData& site, double end);

}  // namespace trestle::report
