#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/yaml/problems.h"
#include "core/yaml/tree_node.h"

namespace trestle::yaml {

/// No tree is deeper: everything that walks one may recurse.
inline constexpr int kDeepestTree = 64;

/// Reads one YAML document. Duplicate keys, keys that are no words, tags and several
/// documents are problems; aliases are copied. Nothing where the text is no YAML.
/// @param text    UTF-8
/// @param source  of the marks; an override's marks carry no line
std::optional<TreeNode> parse_tree(const std::string& text, std::size_t source,
                                   bool is_override, Problems& problems);

}  // namespace trestle::yaml
