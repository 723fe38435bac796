#pragma once

#include <string>

#include "core/yaml/diagnostics.h"
#include "core/yaml/schema.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Writes out the short forms of a message, so that it is a mapping: the bare word of a
/// kind, the sequence of a positional message, the scalar of a scalar message, nothing.
/// Any other form becomes a problem.
/// @param name  of the field, for the problem
/// @returns     whether the node is a mapping now
bool expand_shorthand(YamlNode& node, const Descriptor& message, const std::string& name,
                      Diagnostics& problems);

}  // namespace trestle::yaml
