#include "core/base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace trestle {
namespace {

std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string suggest(const std::string& name, std::span<const std::string> known) {
  constexpr std::size_t kMostNames = 100'000;
  if (known.size() > kMostNames) return "";
  const std::string* best = nullptr;
  std::size_t fewest = name.size() / 3 + 1;
  for (const std::string& candidate : known) {
    const std::size_t needed = edits(name, candidate);
    if (needed > fewest || (best != nullptr && needed == fewest)) continue;
    best = &candidate;
    fewest = needed;
  }
  return best == nullptr ? "" : "; did you mean `" + *best + "`?";
}

}  // namespace trestle
