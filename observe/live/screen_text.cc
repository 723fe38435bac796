#include "observe/live/screen_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/base/legible_text.h"

namespace trestle::live {
namespace {

struct Letter {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr std::array<Range, 8> kWide{{{0x1100, 0x115f},
                                      {0x2e80, 0xa4cf},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe30, 0xfe6f},
                                      {0xff00, 0xff60},
                                      {0x1f300, 0x1faff},
                                      {0x20000, 0x3fffd}}};
constexpr std::array<Range, 4> kMarks{
    {{0x0300, 0x036f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}}};

template <std::size_t kCount>
bool is_in(const std::array<Range, kCount>& ranges, std::uint32_t code) noexcept {
  return std::any_of(ranges.begin(), ranges.end(), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

Letter first_letter(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t bytes = 1;
  if (lead >= 0xf0)
    bytes = 4;
  else if (lead >= 0xe0)
    bytes = 3;
  else if (lead >= 0xc2)
    bytes = 2;
  if (bytes == 1 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (next & 0x3fU);
  }
  return {bytes, is_in(kMarks, code) ? 0U : is_in(kWide, code) ? 2U : 1U};
}

}  // namespace

std::string legible_line(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) text[i] = ' ';
    if (byte != 0xc2 || i + 1 == text.size()) continue;
    // The second set of control characters, as UTF-8 writes it.
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (next >= 0x80 && next < 0xa0) text[i] = text[i + 1] = ' ';
  }
  return without_direction_marks(std::move(text));
}

std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    width += letter.columns;
    text.remove_prefix(letter.bytes);
  }
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t used = 0;
  while (bytes < text.size()) {
    const Letter letter = first_letter(text.substr(bytes));
    if (used + letter.columns > width) break;
    used += letter.columns;
    bytes += letter.bytes;
  }
  return std::string(text.substr(0, bytes));
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string pad_left(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used < width) text.insert(0, width - used, ' ');
  return text;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> rows;
  while (display_width(text) > width) {
    const std::string fits = cut_to_width(text, width);
    if (fits.empty()) break;  // a letter is wider than the row
    std::size_t end = fits.size();
    if (text[end] != ' ') {
      const std::size_t blank = fits.find_last_of(' ');
      if (blank != std::string::npos && blank > 0) end = blank;
    }
    rows.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  if (!text.empty() || rows.empty()) rows.push_back(cut_to_width(text, width));
  return rows;
}

std::string join_by_rank(const std::vector<std::string>& parts, std::size_t width) {
  std::string line;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    const std::string longer = line.empty() ? part : line + "  " + part;
    if (display_width(longer) > width)
      return line.empty() ? cut_to_width(part, width) : line;
    line = longer;
  }
  return line;
}

}  // namespace trestle::live
