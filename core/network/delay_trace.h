#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/network/link_settings.h"

namespace trestle::network {

/// Reads a recorded delay from CSV: a line time_s,delay_s (may be missing), then one row
/// per point, times ascending, at least two.
///
/// @returns the points, or why there are none, with file and line
Result<std::vector<TracePoint>> read_delay_trace(const std::string& file);

/// Delay at `time` after the first point, between the points on a straight line; behind the
/// last one the trace begins again.
/// @pre trace.size() >= 2, times ascending; time >= 0
Duration interpolate_delay(const std::vector<TracePoint>& trace, Duration time) noexcept;

}  // namespace trestle::network
