#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::live {

/// How a row of a screen is meant. A screen may do without: the words say it too.
enum class Emphasis { kNone, kStrong, kFaint, kGood, kWarning, kAlarm };

/// One row of a screen, without its end.
struct ScreenRow {
  std::string text;
  Emphasis emphasis = Emphasis::kNone;
};

/// Columns of a terminal that a text takes: letters of East Asian scripts take two, marks
/// that stand on a letter none. A byte that is not UTF-8 counts as one column.
std::size_t display_width(std::string_view text) noexcept;

/// The longest beginning that fits; a letter is never cut.
std::string cut_to_width(std::string_view text, std::size_t width);

/// One row without anything that a terminal obeys: control characters become blanks, and
/// without_direction_marks(). For texts that other nodes say.
std::string legible_line(std::string text);

/// With blanks behind it, or in front, up to the width.
std::string pad_right(std::string text, std::size_t width);
std::string pad_left(std::string text, std::size_t width);

/// Divides a text at its blanks into rows; a word that is longer than a row is cut in
/// pieces.
/// @param width  > 0
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// The parts, most important first, as far as they fit in the width with two blanks between
/// them. A part is shown whole or not at all; only the first one is cut.
std::string join_by_rank(const std::vector<std::string>& parts, std::size_t width);

}  // namespace trestle::live
