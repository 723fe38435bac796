#include "site-servers/node/interface_limits.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::site_node {
namespace {

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
}

std::string nearest(const InterfaceLayout& layout, std::string_view name) {
  std::string best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const InterfaceDof& dof : layout) {
    if (dof.role == DofRole::kForceOnly) continue;
    const std::size_t away = distance(name, dof.name);
    if (away >= least) continue;
    least = away;
    best = dof.name;
  }
  return best;
}

}  // namespace

int find_dof(const InterfaceLayout& layout, std::string_view name,
             const std::string& path) {
  std::vector<std::size_t> fitting;
  std::string names;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const bool controlled = layout[i].role == DofRole::kControlled;
    if (layout[i].name == name && !controlled)
      throw SettingError(
          path, "`" + std::string(name) + "` is force-only; it gets no target to limit");
    if (layout[i].name == name) return static_cast<int>(i);
    if (!controlled) continue;
    if (last_part(layout[i].name) != name) continue;
    fitting.push_back(i);
    names += (names.empty() ? "" : " and ") + layout[i].name;
  }
  if (fitting.size() == 1) return static_cast<int>(fitting.front());
  const std::string quoted = "`" + std::string(name) + "`";
  if (!fitting.empty())
    throw SettingError(path, quoted + " fits " + names + "; write the node too");
  throw SettingError(path, quoted + " is no interface DOF of this site; did you mean `" +
                               nearest(layout, name) + "`?");
}

}  // namespace trestle::site_node
