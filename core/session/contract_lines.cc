#include "core/session/contract_lines.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace trestle::session {
namespace {

std::string off_one_line(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    unsigned byte = 0;
    if (line.substr(i, 2) == "\\\\") {
      text += line[i++];
    } else if (line.substr(i, 2) == "\\x" && i + 4 <= line.size() &&
               std::from_chars(line.data() + i + 2, line.data() + i + 4, byte, 16).ptr ==
                   line.data() + i + 4) {
      text += static_cast<char>(byte);
      i += 3;
    } else {
      text += line[i];
    }
  }
  return text;
}

}  // namespace

ContractEntries parse_contract_lines(const std::string& contract) {
  ContractEntries facts;
  for (std::size_t from = 0; from < contract.size();) {
    const std::size_t end = std::min(contract.find('\n', from), contract.size());
    const std::string_view line = std::string_view(contract).substr(from, end - from);
    from = end + 1;
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    facts.emplace_back(off_one_line(line.substr(0, colon)),
                       off_one_line(line.substr(colon + 2)));
  }
  return facts;
}

}  // namespace trestle::session
