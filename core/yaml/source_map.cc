#include "core/yaml/source_map.h"

#include <algorithm>
#include <utility>

#include "core/yaml/diagnostics.h"

namespace trestle::yaml {
namespace {

/// Without its last step: `a.b[2]` becomes `a.b`, `a.b` becomes `a`, `a` becomes empty.
std::string parent(const std::string& path) {
  const auto end = path.find_last_of(".[");
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

}  // namespace

void SourceMap::add_alias(const std::string& by_key, const std::string& by_index) {
  keys_[by_key] = by_index;
}

std::string SourceMap::canonical(const std::string& path) const {
  if (places_.contains(path)) return path;
  std::string head;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::string joint = head.empty() ? "" : ".";
    const std::size_t step = std::min(path.find('.', at), path.size());
    std::string next = head + joint + path.substr(at, step - at);
    std::size_t behind = step;
    // A key may hold dots itself; the longest one that exists is meant.
    for (std::size_t end = step;; end = std::min(path.find('.', end + 1), path.size())) {
      const auto found = keys_.find(head + joint + path.substr(at, end - at));
      if (found != keys_.end()) {
        next = found->second;
        behind = end;
      }
      if (end == path.size()) break;
    }
    head = places_.contains(next) ? std::move(next) : with_kind(head, next);
    at = behind + 1;
  }
  return head;
}

/// Returns `head.next` if the path omitted the field of the oneof `kind` in between.
std::string SourceMap::with_kind(const std::string& head, const std::string& next) const {
  if (head.empty() || !places_.contains(head + ".kind")) return next;
  const std::string tail = next.substr(head.size());
  for (auto at = places_.lower_bound(head + ".");
       at != places_.end() && at->first.starts_with(head + "."); ++at) {
    const std::string& path = at->first;
    const std::size_t between = path.find_first_of(".[", head.size() + 1);
    if (between != std::string::npos && path.compare(between, std::string::npos, tail) == 0)
      return path;
  }
  return next;
}

const SourceMap::Place* SourceMap::nearest(const std::string& path) const {
  for (std::string at = canonical(path);; at = parent(at)) {
    const auto found = places_.find(at);
    if (found != places_.end()) return &found->second;
    if (at.empty()) return nullptr;
  }
}

std::string SourceMap::location(const std::string& path) const {
  const Place* place = nearest(path);
  if (place == nullptr) return {};
  return yaml::place(sources_[place->source], place->line, place->column);
}

UnitClass SourceMap::unit_class(const std::string& path) const {
  const auto found = places_.find(canonical(path));
  return found == places_.end() ? UnitClass::kNone : found->second.unit_class;
}

std::vector<std::string> SourceMap::explain(const SettingError& error) const {
  std::vector<std::pair<Place, std::string>> found;
  for (const SettingIssue& problem : error.problems()) {
    const Place* place = nearest(problem.path);
    const std::string where = place == nullptr ? problem.path : location(problem.path);
    found.emplace_back(place == nullptr ? Place{} : *place, where + ": " + problem.what);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> lines;
  for (auto& [place, line] : found) lines.push_back(std::move(line));
  return lines;
}

}  // namespace trestle::yaml
