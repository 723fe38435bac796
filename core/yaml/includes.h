#pragma once

#include <optional>
#include <string>

#include "core/yaml/problems.h"
#include "core/yaml/schema.h"
#include "core/yaml/tree_node.h"

namespace trestle::yaml {

/// Reads a file and, below it, the files that its `include:` names, relative to it;
/// likewise below each mapping in it that has one.
/// @param file  as the user gave it
std::optional<TreeNode> read_with_includes(const std::string& file,
                                           const Descriptor& message, Problems& problems);

}  // namespace trestle::yaml
