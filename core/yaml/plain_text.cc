#include "core/yaml/plain_text.h"

#include <cstddef>

namespace trestle::yaml {
namespace {

/// Returns the length of the UTF-8 character at `at`, 0 if none is valid (RFC 3629, table
/// 3-7 of Unicode: no overlong forms, no surrogates). Control characters count as none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned head = byte(0);
  if (head < 0x80U)
    return head == '\t' || head == '\n' || head == '\r' || (head >= ' ' && head != 0x7fU)
               ? 1
               : 0;
  std::size_t length = 0;
  unsigned low = 0x80U;
  unsigned high = 0xbfU;
  if (head >= 0xc2U && head <= 0xdfU) length = 2;
  if (head >= 0xe0U && head <= 0xefU) length = 3;
  if (head >= 0xf0U && head <= 0xf4U) length = 4;
  if (head == 0xe0U) low = 0xa0U;
  if (head == 0xedU) high = 0x9fU;
  if (head == 0xf0U) low = 0x90U;
  if (head == 0xf4U) high = 0x8fU;
  if (length == 0 || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80U || byte(i) > 0xbfU) return 0;
  return length;
}

}  // namespace

std::optional<TextPlace> find_invalid_utf8(std::string_view text) {
  TextPlace place;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) return place;
    if (text[at] == '\n') {
      ++place.line;
      place.column = 0;
    }
    ++place.column;
    at += length;
  }
  return std::nullopt;
}

std::optional<TextPlace> first_indenting_tab(std::string_view text) {
  TextPlace place;
  bool indents = true;
  for (const char letter : text) {
    if (letter == '\n') {
      ++place.line;
      place.column = 1;
      indents = true;
      continue;
    }
    if (indents && letter == '\t') return place;
    indents = indents && letter == ' ';
    ++place.column;
  }
  return std::nullopt;
}

}  // namespace trestle::yaml
