#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trestle {

/// Rules for the name of a person who acts or answers for something, and for a reason: a
/// blank text says nothing, and the audit must name somebody. Texts are UTF-8.

/// The sign that a text begins with, of up to three bytes; longer ones are 0.
struct FirstSign {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};
inline FirstSign first_sign(std::string_view text) noexcept {
  const auto byte = [text](std::size_t at) {
    return std::uint32_t{static_cast<unsigned char>(text[at])};
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0 && text.size() >= 2) return {(lead & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (lead < 0xf0 && text.size() >= 3)
    return {(lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {};
}

/// Returns the length of the sign that `text` begins with, if it is a blank, an invisible
/// sign, or a sign beyond ASCII of punctuation, mathematics or drawing; 0: it is none.
inline std::size_t blank_at(std::string_view text) noexcept {
  struct Range {
    std::uint32_t first, last;
  };
  // Among U+00A0 to U+00BF are the letters ª, µ and º. U+115F, U+1160, U+3164 and U+FFA0
  // fill a place in Hangul, U+2800 is Braille without a dot.
  constexpr std::array<Range, 21> kBlanks{{
      {'\t', '\n'},     {'\r', '\r'},     {' ', ' '},       {0xa0, 0xa9},
      {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},     {0xd7, 0xd7},
      {0xf7, 0xf7},     {0x34f, 0x34f},   {0x61c, 0x61c},   {0x115f, 0x1160},
      {0x1680, 0x1680}, {0x180e, 0x180e}, {0x2000, 0x206f}, {0x2190, 0x2800},
      {0x3000, 0x303f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
      {0xffa0, 0xffa0},
  }};
  const FirstSign sign = first_sign(text);
  for (const Range& range : kBlanks)
    if (sign.code >= range.first && sign.code <= range.last) return sign.bytes;
  return 0;
}

/// Whether a text has a letter: of the ASCII ones, or of another script.
inline bool has_letter(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t blank = blank_at(text.substr(i));
    const auto code = static_cast<unsigned char>(text[i]);
    if (blank == 0 &&
        (code >= 0x80 || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')))
      return true;
    i += blank > 0 ? blank : 1;
  }
  return false;
}

/// The text without the blanks before and behind it.
inline std::string without_outer_blanks(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpaces) - first + 1));
}

/// Whether a text can be the name of a person: it has a letter and no control character,
/// and is not what the audit calls a node, or a person whom nobody knows, in any letters.
inline bool is_person_name(std::string_view text) {
  std::string name = without_outer_blanks(text);
  for (char& letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) return false;
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  const bool unknown =
      name == "unknown" || name.starts_with("unknown (") || name.starts_with("unknown@");
  return has_letter(name) && !unknown && name != "integrator";
}

}  // namespace trestle
