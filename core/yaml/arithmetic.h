#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace trestle::yaml {

/// The number at the head of a text, and where it ends.
struct LeadingNumber {
  double value;
  std::size_t length;  ///< of the part that was read; the rest is the unit
};

/// Reads `1/1024 s`, `2*(3.5 + 1) kN` up to the unit: + - * / and parentheses, the usual
/// precedence. Nothing if the text does not begin with a whole expression, if it
/// nests deeper than 32, or if a number does not fit a double. The value may be
/// infinite or not a number (1/0): the caller says so.
std::optional<LeadingNumber> read_leading_number(std::string_view text);

}  // namespace trestle::yaml
