#include "core/base/shell_word.h"

#include <algorithm>
#include <string_view>

namespace trestle {
namespace {

/// Bytes of UTF-8 above ASCII are no shell's.
bool is_plain(char letter) noexcept {
  constexpr std::string_view kPlain = "_-./:@%+=,";
  const auto code = static_cast<unsigned char>(letter);
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || code >= 0x80 ||
         kPlain.find(letter) != std::string_view::npos;
}

}  // namespace

std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string word = "'";
  for (const char letter : text)
    if (letter == '\'')
      word += "'\\''";
    else
      word += letter;
  return word + "'";
}

}  // namespace trestle
