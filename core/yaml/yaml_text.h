#pragma once

#include <string>

#include "core/yaml/tree_node.h"

namespace trestle::yaml {

/// Prints a tree: what fits a line in braces and brackets, the rest in indented blocks.
/// The root stands in a block.
std::string print_tree(const TreeNode& root);

}  // namespace trestle::yaml
