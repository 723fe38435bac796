#pragma once

#include <optional>
#include <string>

#include "core/yaml/diagnostics.h"
#include "core/yaml/schema.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Reads a file and, below it, the files that its `include:` names, relative to it;
/// likewise below each mapping in it that has one.
/// @param file  as the user gave it
std::optional<YamlNode> read_with_includes(const std::string& file,
                                           const Descriptor& message,
                                           Diagnostics& problems);

}  // namespace trestle::yaml
