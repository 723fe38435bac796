#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::operators {

/// "0.0123 mm", "12.3 kN", "207 bar"; of a contact (unit `0/1`) "closed" or "open".
/// @param unit  of the value: m, rad, N, N.m, or one of a further channel
std::string reading_value_text(double value, const std::string& unit);

/// A contact (unit `0/1`) that is not closed: open, or not read.
bool is_open_contact(double value, const std::string& unit);

/// "1.force -0.0123 kN sd 0.0042 kN"; without a deviation "oil 207 bar".
std::string reading_text(const RigReading& reading);

/// The same of several, with commas.
std::string readings_text(const std::vector<RigReading>& readings);

}  // namespace trestle::operators
