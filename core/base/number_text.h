#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trestle {

/// Appends the shortest decimal that reads back as the same double; no locale. Every NaN is
/// "nan".
void append_number(std::string& text, double value);

/// Returns the number as a new string.
std::string format_number(double value);

/// The inverse; nothing if the text is not one number to its end.
std::optional<double> parse_number(std::string_view text);

}  // namespace trestle
