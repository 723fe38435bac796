#include "core/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace trestle {

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {  // the sign of a NaN says nothing
    text += "nan";
    return;
  }
  std::array<char, 32> digits;  // the longest double has 24
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

std::string format_number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace trestle
