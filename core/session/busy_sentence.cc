#include "core/session/busy_sentence.h"

namespace trestle::session {
namespace {

// Longest name that is shown [bytes].
constexpr std::size_t kLongestWord = 120;

std::string word(const char* before, const std::string& text) {
  return text.empty() ? std::string() : before + text.substr(0, kLongestWord);
}

}  // namespace

std::string busy_sentence(const std::string& site, const std::string& where,
                          const Busy& busy) {
  std::string said = "site " + site;
  if (!where.empty()) said += " (" + where + ")";
  said += " is busy with test " + busy.test.substr(0, kLongestWord) +
          word(" of ", busy.by) + word(" since ", busy.since);
  if (busy.step >= 0) said += ", at step " + std::to_string(busy.step);
  return said + (busy.state.empty() ? "" : " (" + busy.state.substr(0, kLongestWord) + ")");
}

}  // namespace trestle::session
