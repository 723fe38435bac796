#pragma once

#include <vector>

#include "core/base/column_reader.h"

namespace trestle::excitation {

/// A record that was sampled evenly and lacks samples would be joined by a straight line.
/// @param time   [s]; increasing
/// @param lines  of the file, one for each time
/// @throws SettingError with file and line where samples are missing
void check_gaps(const ColumnReader& reader, const std::vector<double>& time,
                const std::vector<int>& lines);

}  // namespace trestle::excitation
