#include "observe/geometry/structure_geometry.h"

#include <algorithm>

namespace trestle::geometry {

const GeometryNode* StructureGeometry::find(const std::string& node) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const GeometryNode& one) {
    return one.name == node;
  });
  return found == nodes.end() ? nullptr : &*found;
}

}  // namespace trestle::geometry
