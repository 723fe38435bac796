#pragma once

#include "core/yaml/diagnostics.h"
#include "core/yaml/override.h"
#include "core/yaml/schema.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Applies `path=value` as if the file had been edited at that place. A change of `kind`
/// drops the settings beside it that only other kinds know.
void apply_override(YamlNode& root, const Descriptor& message, const Override& change,
                    Diagnostics& problems);

}  // namespace trestle::yaml
