#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::yaml {

/// One step of an override's path: `west`, `2` or `[2]`.
struct PathSegment {
  std::string name;
  bool in_brackets = false;  ///< surely an index
  std::size_t end = 0;       ///< in the path's text, behind this part
};

/// Splits `sites.west.rig.actuators[0].frequency`; a part with dots is written in quotes:
/// `limits.interface."floor_w.x"`. Returns nothing if a part is empty or a bracket is open.
std::optional<std::vector<PathSegment>> split_path(std::string_view path);

/// The index that a part gives, or nothing.
std::optional<std::size_t> index_of(const PathSegment& part);

}  // namespace trestle::yaml
