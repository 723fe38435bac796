#include "core/base/suggestion.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace trestle {
namespace {

constexpr std::size_t kLongestWord = 64;  // longer ones are no typo of ours
constexpr std::size_t kLongestList = 24;
constexpr std::size_t kLongestQuote = 60;

std::string lower(std::string_view word) {
  std::string small(word);
  for (char& letter : small)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return small;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1,
                                          std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > kLongestWord) return {};
  const std::string small = lower(word);
  std::string best;
  std::size_t least = kLongestWord;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    // Twice the distance, plus one where only the case differs from the better reading.
    const std::size_t away =
        2 * distance(small, lower(candidate)) + (distance(word, candidate) > 0 ? 1U : 0U);
    if (away / 2 > (longer + 1) / 3 || away >= least) continue;
    least = away;
    best = candidate;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (const std::string best = nearest(word, known); !best.empty())
    return "did you mean " + quote(best) + "?";
  if (known.empty()) return "nothing may stand here";
  return "known here: " + listed(known);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == kLongestList) return text + ", ...";
    text += (i == 0 ? "" : ", ") + words[i];
  }
  return text;
}

std::string quote(std::string_view word) {
  std::string text = "`";
  for (const char letter : word.substr(0, kLongestQuote))
    text += static_cast<unsigned char>(letter) < ' ' || letter == '\x7f' ? ' ' : letter;
  if (word.size() > kLongestQuote) {
    // Never cut a UTF-8 character in two.
    std::size_t end = kLongestQuote;
    while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) --end;
    text.resize(end + 1);
    text += "...";
  }
  return text + "`";
}

}  // namespace trestle
