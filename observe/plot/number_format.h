#pragma once

#include <string>

namespace trestle::plot {

/// Numbers as text for readers of a picture or a report: made by std::to_chars, so that no
/// locale changes them. A number that is not finite is "–".

/// A fixed number of decimals: "17.99".
std::string format_fixed(double value, int decimals);

/// A number of significant digits, without trailing zeros: "0.0123", "1.2e-09".
std::string format_significant(double value, int digits);

/// A whole number with a thin space between groups of three: "42 169".
std::string format_count(long long value);

/// Appends a coordinate of a picture: at most 2 decimals, no trailing zeros.
void append_coordinate(std::string& text, double value);

}  // namespace trestle::plot
