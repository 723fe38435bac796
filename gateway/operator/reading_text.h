#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::operators {

/// "0.0123 mm", "12.3 kN", "207 bar"; of a contact (unit `0/1`) "closed" or "open".
/// @param unit  of the value: m, rad, N, N.m, or one of a further channel
std::string reading_value_text(double value, const std::string& unit);

/// "NOT CLOSED", "NOT OPEN" of a contact (unit `0/1`) that is not so, or not read; else
/// empty.
/// @param stops_closed  as of RigReading
std::string contact_mark(double value, const std::string& unit, bool stops_closed);

/// "1.force -0.0123 kN sd 0.0042 kN"; without a deviation "oil 207 bar".
std::string reading_text(const RigReading& reading);

/// The same of several, with commas.
std::string readings_text(const std::vector<RigReading>& readings);

}  // namespace trestle::operators
