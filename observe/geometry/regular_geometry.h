#pragma once

#include "core/yaml/yaml_node.h"
#include "observe/geometry/structure_geometry.h"

namespace trestle::geometry {

/// Adds the nodes, members, supports and diaphragms of `numerical.frame.regular`, named as
/// docs/reference/configuration.md says.
void add_regular_part(const yaml::YamlNode& regular, StructureGeometry& into);

}  // namespace trestle::geometry
