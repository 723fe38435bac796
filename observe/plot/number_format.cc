#include "observe/plot/number_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace trestle::plot {
namespace {

constexpr const char* kNoNumber = "\u2013";
constexpr const char* kThinSpace = "\u202f";
constexpr double kLargestCoordinate = 1e7;

/// Replaces "-0.00" by "0.00".
bool is_zero(const std::string& digits) {
  return digits.find_first_of("123456789") == std::string::npos;
}

std::string without_trailing_zeros(std::string digits) {
  const std::size_t exponent = digits.find('e');
  const std::string power = exponent == std::string::npos ? "" : digits.substr(exponent);
  if (exponent != std::string::npos) digits.resize(exponent);
  if (digits.find('.') == std::string::npos) return digits + power;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits + power;
}

}  // namespace

std::string format_fixed(double value, int decimals) {
  if (!std::isfinite(value)) return kNoNumber;
  std::array<char, 400> digits;  // of any double
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::fixed, decimals);
  std::string text(digits.data(), end.ptr);
  if (text.front() == '-' && is_zero(text)) text.erase(0, 1);
  return text;
}

std::string format_significant(double value, int digits) {
  if (!std::isfinite(value)) return kNoNumber;
  if (value == 0.0) return "0";
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits);
  return without_trailing_zeros(std::string(text.data(), end.ptr));
}

std::string format_count(long long value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && digits[i - 1] != '-' && left % 3 == 0) text += kThinSpace;
    text += digits[i];
  }
  return text;
}

void append_coordinate(std::string& text, double value) {
  const double bounded = std::isfinite(value)
                             ? std::clamp(value, -kLargestCoordinate, kLargestCoordinate)
                             : 0.0;
  long long hundredths = std::llround(bounded * 100.0);
  if (hundredths < 0) {
    text += '-';
    hundredths = -hundredths;
  }
  text += std::to_string(hundredths / 100);
  const long long rest = hundredths % 100;
  if (rest == 0) return;
  text += '.';
  text += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
}

}  // namespace trestle::plot
