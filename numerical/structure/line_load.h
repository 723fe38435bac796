#pragma once

#include <array>
#include <vector>

namespace trestle::structure {

/// One member on the way of a moving load, for the consistent nodal load of a point force
/// (cubic shape functions across, linear along).
struct LoadSegment {
  double start_x = 0.0;  ///< global coordinates of the member's ends [m]
  double start_y = 0.0;
  double end_x = 0.0;
  double end_y = 0.0;
  /// Equations of x, y, rz at start and at end; -1 where fixed.
  std::array<int, 6> equations{-1, -1, -1, -1, -1, -1};
};

using LoadPath = std::vector<LoadSegment>;

}  // namespace trestle::structure
