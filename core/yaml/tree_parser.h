#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/yaml/diagnostics.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// No tree is deeper: everything that walks one may recurse.
inline constexpr int kDeepestTree = 64;

/// Reads one YAML document. Duplicate keys, keys that are no words, tags and several
/// documents are problems; aliases are copied. Nothing if the text is no YAML.
/// @param text    UTF-8
/// @param source  of the marks; an override's marks carry no line
std::optional<YamlNode> parse_tree(const std::string& text, std::size_t source,
                                   bool is_override, Diagnostics& problems);

}  // namespace trestle::yaml
