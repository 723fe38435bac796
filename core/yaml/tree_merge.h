#pragma once

#include "core/yaml/schema.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Lays one tree over another: mappings are merged deeply, lists and single values are
/// replaced, and so is a mapping whose `kind` differs. A member of a oneof replaces the
/// other members below it.
/// @param slot  what both stand for
YamlNode merged(const YamlNode& below, const YamlNode& above, const SchemaContext& slot);

}  // namespace trestle::yaml
