#include "adapters/scpi_tcp/line_pattern.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

#include "adapters/plugin/setting_values.h"

namespace trestle::scpi_tcp {
namespace {

using plugin::refuse;

bool skip_blanks(std::string_view& line) noexcept {
  const std::size_t end = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(end);
  return end > 0;
}

bool take_text(std::string_view& line, std::string_view text, bool after_number) noexcept {
  if (after_number && text.front() != ' ') skip_blanks(line);
  for (const char letter : text) {
    if (letter == ' ') {
      if (!skip_blanks(line)) return false;
    } else {
      if (line.empty() || line.front() != letter) return false;
      line.remove_prefix(1);
    }
  }
  return true;
}

/// A number begins with a digit or a point, behind at most one sign: `inf` and `nan` are
/// none.
bool take_number(std::string_view& line, double& number) noexcept {
  skip_blanks(line);
  if (line.empty()) return false;
  const bool minus = line.front() == '-';
  if (minus || line.front() == '+') line.remove_prefix(1);
  const bool digit = !line.empty() && line.front() >= '0' && line.front() <= '9';
  if (!digit && (line.empty() || line.front() != '.')) return false;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) return false;
  if (minus) number = -number;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

std::string_view trimmed(std::string_view line) noexcept {
  skip_blanks(line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  return line;
}

/// Several blanks become one; those at both ends go.
void squeeze_blanks(std::vector<TextPiece>& pieces) {
  for (TextPiece& piece : pieces) {
    std::replace(piece.text.begin(), piece.text.end(), '\t', ' ');
    const auto end =
        std::unique(piece.text.begin(), piece.text.end(),
                    [](char one, char next) { return one == ' ' && next == ' '; });
    piece.text.erase(end, piece.text.end());
  }
  if (!pieces.back().is_place && pieces.back().text.ends_with(' '))
    pieces.back().text.pop_back();
  if (!pieces.front().is_place && pieces.front().text.starts_with(' '))
    pieces.front().text.erase(0, 1);
  std::erase_if(pieces, [](const TextPiece& piece) { return piece.text.empty(); });
}

}  // namespace

LinePattern::LinePattern(const std::string& path, const std::string& text)
    : text_(text), pieces_(split_text(path, text)) {
  squeeze_blanks(pieces_);
  if (pieces_.empty()) refuse(path, "is blank; give a line of text");
  for (const TextPiece& piece : pieces_) {
    if (!piece.is_place) continue;
    if (!piece.format.empty())
      refuse(path, "has {" + piece.text + ":" + piece.format +
                       "}; a number that comes in has no format");
    if (piece.text == "text") {
      any_text_ = true;
      continue;
    }
    if (piece.text != "skip" &&
        std::find(places_.begin(), places_.end(), piece.text) != places_.end())
      refuse(path, "has the place {" + piece.text + "} twice");
    places_.push_back(piece.text);
  }
  const auto count = std::count_if(pieces_.begin(), pieces_.end(),
                                   [](const TextPiece& piece) { return piece.is_place; });
  if (any_text_ && count > 1)
    refuse(path, "has another place beside {text}; which letters belong to which is open");
  if (any_text_ && pieces_.size() == 1)
    refuse(path, "is {text} alone, which every line is; say how the line begins or ends");
  if (!any_text_) refuse_ambiguous(path, pieces_);
}

bool LinePattern::matches(std::string_view line, std::span<double> numbers) const noexcept {
  std::size_t number = 0;
  bool after_number = false;
  line = trimmed(line);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const TextPiece& piece = pieces_[i];
    if (!piece.is_place) {
      if (!take_text(line, piece.text, after_number)) return false;
    } else if (any_text_) {
      return i + 1 == pieces_.size() || line.ends_with(pieces_[i + 1].text);
    } else if (!take_number(line, numbers[number++])) {
      return false;
    }
    after_number = piece.is_place;
  }
  return line.empty();
}

std::string LinePattern::with_number(const std::string& number) const {
  std::string line;
  for (const TextPiece& piece : pieces_) line += piece.is_place ? number : piece.text;
  return line;
}

bool LinePattern::can_be(const LinePattern& other) const {
  std::vector<double> numbers(other.places_.size());
  for (const char* const number : {"0", "1", "-1", "+1", "0.5", "-0.5", "+1.0E+00", ".5"})
    if (other.matches(with_number(number), numbers)) return true;
  return false;
}

}  // namespace trestle::scpi_tcp
