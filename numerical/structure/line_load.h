#pragma once

#include <array>
#include <vector>

#include "numerical/structure/dof_terms.h"

namespace trestle::structure {

/// One member on the way of a moving load, for the consistent nodal load of a point force
/// (cubic shape functions across, linear along).
struct LoadedMember {
  /// Coordinates of the member's ends in the vertical plane through it [m]: of a planar
  /// frame the global ones; in space along the member's horizontal direction, from its
  /// start, and up.
  double start_x = 0.0;
  double start_y = 0.0;
  double end_x = 0.0;
  double end_y = 0.0;
  /// Horizontal and vertical motion and turn in this plane, of the start and of the end;
  /// empty where held.
  std::array<DofTerms, 6> motions{};
};

using LoadPath = std::vector<LoadedMember>;

}  // namespace trestle::structure
