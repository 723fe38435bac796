#include "core/yaml/override_path.h"

#include <charconv>
#include <system_error>

namespace trestle::yaml {

std::optional<std::vector<PathSegment>> split_path(std::string_view path) {
  std::vector<PathSegment> parts;
  std::size_t at = 0;
  while (at < path.size()) {
    PathSegment part;
    std::size_t end = 0;
    const char head = path[at];
    const bool quotes = head == '"' || head == '\'';
    if (quotes || head == '[') {
      part.in_brackets = !quotes;
      end = path.find(quotes ? head : ']', at + 1);
      if (end == std::string_view::npos) return std::nullopt;
      part.name = path.substr(at + 1, end - at - 1);
      ++end;
    } else {
      end = path.find_first_of(".[", at);
      if (end == std::string_view::npos) end = path.size();
      part.name = path.substr(at, end - at);
    }
    if (part.name.empty()) return std::nullopt;
    part.end = end;
    parts.push_back(part);
    at = end;
    if (at == path.size()) break;
    if (path[at] != '.' && path[at] != '[') return std::nullopt;
    if (path[at] == '.' && ++at == path.size()) return std::nullopt;
  }
  if (parts.empty()) return std::nullopt;
  return parts;
}

std::optional<std::size_t> index_of(const PathSegment& part) {
  std::size_t index = 0;
  const char* const end = part.name.data() + part.name.size();
  const auto read = std::from_chars(part.name.data(), end, index);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return index;
}

}  // namespace trestle::yaml
