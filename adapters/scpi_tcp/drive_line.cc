#include "adapters/scpi_tcp/drive_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "adapters/plugin/setting_values.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::scpi_tcp {
namespace {

constexpr int kMostDigits = 17;  // a double has no more

int whole_number(std::string_view text) noexcept {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : -1;
}

/// {drive} is the first actuator's, {drive2} the second's.
std::uint32_t actuator_of(const std::string& path, const std::string& place) {
  constexpr std::string_view kDrive = "drive";
  const std::string_view number =
      std::string_view(place).substr(std::min(kDrive.size(), place.size()));
  const int actuator = number.empty() ? 1 : whole_number(number);
  if (!place.starts_with(kDrive) || actuator < 1 ||
      actuator > static_cast<int>(TRESTLE_MOST_ACTUATORS))
    plugin::refuse(path, "has the place {" + place +
                             "}; must be {drive}, or {drive1} to {drive16}, as "
                             "{drive:.6f}");
  return static_cast<std::uint32_t>(actuator - 1);
}

int digits_of(std::string_view format) noexcept {
  return format.size() < 3 ? -1 : whole_number(format.substr(1, format.size() - 2));
}

void check_format(const std::string& path, const TextPiece& place) {
  const std::string& format = place.format;
  if (format.empty()) return;
  const int digits = digits_of(format);
  if (format.front() != '.' || (format.back() != 'f' && format.back() != 'e') ||
      digits < 0 || digits > kMostDigits)
    plugin::refuse(path, "has {" + place.text + ":" + format +
                             "}; a format is .6f or .6e, with 0 to 17 digits");
}

void append_number(std::string& line, double number, const std::string& format) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  char* const begin = text.data();
  char* const end = begin + text.size();
  const std::to_chars_result done =
      format.empty() ? std::to_chars(begin, end, number)
                     : std::to_chars(begin, end, number,
                                     format.back() == 'f' ? std::chars_format::fixed
                                                          : std::chars_format::scientific,
                                     digits_of(format));
  line.append(begin, done.ptr);
}

}  // namespace

DriveLine::DriveLine(const std::string& path, const std::string& text)
    : pieces_(split_text(path, text)) {
  refuse_ambiguous(path, pieces_);
  for (const TextPiece& piece : pieces_) {
    if (!piece.is_place) continue;
    check_format(path, piece);
    actuators_.push_back(actuator_of(path, piece.text));
  }
  if (actuators_.empty())
    plugin::refuse(path, "has no place for a drive; write {drive:.6f}");
}

std::string DriveLine::line(std::span<const double> numbers) const {
  std::string line;
  std::size_t place = 0;
  for (const TextPiece& piece : pieces_) {
    if (piece.is_place)
      append_number(line, numbers[actuators_[place++]], piece.format);
    else
      line += piece.text;
  }
  return line;
}

}  // namespace trestle::scpi_tcp
