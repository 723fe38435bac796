#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace trestle {

/// Rules for the name of a person who acts or answers for something, and for a reason: a
/// blank text says nothing, and the audit must name somebody. Texts are UTF-8.

/// Returns the length of the sign that `text` begins with, if it is a blank or an invisible
/// one; 0: it is none.
inline std::size_t blank_at(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 8> kBlanks{
      " ", "\t", "\n", "\r", "\xc2\xa0", "\xc2\xad", "\xef\xbb\xbf", "\xe1\xa0\x8e"};
  for (const std::string_view blank : kBlanks)
    if (text.starts_with(blank)) return blank.size();
  // U+2000 to U+206F (spaces and general punctuation), U+3000 to U+303F
  const bool general = text.starts_with("\xe2\x80") || text.starts_with("\xe2\x81");
  return text.size() >= 3 && (general || text.starts_with("\xe3\x80")) ? 3 : 0;
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
