#pragma once

#include <string>

#include "observe/geometry/structure_geometry.h"

namespace trestle::geometry {

/// Reads what a drawing needs out of the text of a run's effective.yaml. Frames and beams
/// have their own places, storeys of a shear building stand above each other.
/// @returns with `missing` set if the text is no test, or its model has no places
StructureGeometry read_geometry(const std::string& effective);

}  // namespace trestle::geometry
