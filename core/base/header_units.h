#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle {

std::string in_small_letters(std::string_view text);

/// Returns the units in a header, in file order and in small letters: the text in brackets,
/// otherwise the end of the column's name: `time [s], a [cm/s2]` and `time_s,accel_m_s2`.
/// Empty: a column without a unit.
std::vector<std::string> units_in_header(std::string_view line);

/// Returns a length in metres by its unit in small letters; nothing: it is none that is
/// known.
std::optional<double> unit_of_length(std::string_view unit);

}  // namespace trestle
