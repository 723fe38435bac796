#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle {

std::string in_small_letters(std::string_view text);

/// Returns true for a unit, in small letters, that records of motions and forces state.
bool is_known_unit(std::string_view unit);

/// Returns the unit of each column of a header, in small letters: the text in brackets,
/// otherwise the end of the column's name: `time [s], a [cm/s2]` and `time_s,accel_m_s2`.
/// Empty: a column without a unit.
std::vector<std::string> units_in_header(std::string_view line);

/// Returns a length in metres by its unit in small letters; nothing: it is none that is
/// known.
std::optional<double> unit_of_length(std::string_view unit);

/// The lines above the numbers of a file: comments, the columns' names, and a row of units
/// below them.
class FileHeader {
 public:
  /// @param columns  that a row of the file has at least
  explicit FileHeader(std::size_t columns) : columns_(columns) {}

  /// Returns true for a line of the header; false from the first row of numbers on.
  /// @param number  of the line in its file
  bool takes(std::string_view line, int number);
  /// Returns the units by column in small letters, as `units_in_header`, of the last line
  /// that states the most known ones, or that `# units: s, g` names.
  const std::vector<std::string>& units() const { return units_; }
  /// The line of units(); 0: none states any.
  int line() const noexcept { return line_; }

 private:
  std::size_t columns_;
  bool named_ = false;
  bool closed_ = false;
  int line_ = 0;
  std::ptrdiff_t known_ = 0;  // units among units_
  std::vector<std::string> units_;
};

}  // namespace trestle
