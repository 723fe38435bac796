#pragma once

#include <string>

#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Prints a tree: a part that fits one line in braces and brackets, the rest in indented
/// blocks. The root is printed as a block.
std::string format_tree(const YamlNode& root);

}  // namespace trestle::yaml
