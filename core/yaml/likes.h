#pragma once

#include "core/yaml/diagnostics.h"
#include "core/yaml/schema.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Resolves every `like: other` of the entries of keyed mappings: the entry is laid over
/// its sibling. Chains are followed; a circle or an unknown sibling is a problem.
void resolve_like_references(YamlNode& node, const SchemaContext& slot,
                             Diagnostics& problems);

}  // namespace trestle::yaml
