#pragma once

#include <nlohmann/json_fwd.hpp>

#include "observe/geometry/structure_geometry.h"

namespace trestle::web {

/// `geometry` of docs/reference/live-messages.md. @pre geometry.missing is empty
nlohmann::ordered_json geometry_json(const geometry::StructureGeometry& geometry);

}  // namespace trestle::web
