#include "core/yaml/diagnostics.h"

#include <algorithm>
#include <utility>

#include "core/yaml/config_error.h"

namespace trestle::yaml {

std::size_t Diagnostics::add_source(ConfigSource source) {
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

void Diagnostics::add(SourcePosition mark, std::string what) {
  problems_.emplace_back(mark, std::move(what));
}

void Diagnostics::throw_if_any() {
  if (problems_.empty()) return;
  std::stable_sort(problems_.begin(), problems_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> lines;
  for (const auto& [mark, what] : problems_) {
    std::string line =
        place(sources_[mark.source].name, mark.line, mark.column) + ": " + what;
    // A mistake that `like:` repeats is reported only once.
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  }
  throw ConfigError(std::move(lines));
}

std::string place(const std::string& source, int line, int column) {
  if (line == 0) return source;
  return source + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace trestle::yaml
