#include "core/base/legible_text.h"

#include <algorithm>
#include <string_view>

namespace trestle {
namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0: there is none. RFC 3629, where
/// over-long forms, surrogates and what is above U+10FFFF are none.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&byte](std::size_t i) {
    return (byte(i) & 0xc0U) == 0x80U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool wrong =
        (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f);
    return !wrong && continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool wrong =
        (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f);
    return !wrong && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string legible(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(std::string_view(text).substr(at));
    result += length > 0 ? text.substr(at, length) : "?";
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string without_direction_marks(std::string text) {
  constexpr std::string_view kInstead = "\xef\xbf\xbd";
  for (std::size_t i = text.find('\xe2'); i < text.size(); i = text.find('\xe2', i + 1)) {
    const std::string_view mark = std::string_view(text).substr(i, kInstead.size());
    if ((mark >= "\xe2\x80\xaa" && mark <= "\xe2\x80\xae") ||
        (mark >= "\xe2\x81\xa6" && mark <= "\xe2\x81\xa9"))
      text.replace(i, kInstead.size(), kInstead);
  }
  return text;
}

}  // namespace trestle
