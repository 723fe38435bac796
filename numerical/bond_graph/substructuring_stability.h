#pragma once

#include <Eigen/Core>
#include <optional>

#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// The mode that grows fastest, or decays slowest.
struct DominantMode {
  double rate = 0.0;       ///< [1/s], negative: it decays
  double frequency = 0.0;  ///< [Hz]
};

/// The loops that a test closes, in continuous time, with transfer systems as modelled.
struct SubstructuringStability {
  DominantMode whole;     ///< the emulated structure
  DominantMode junction;  ///< with the virtual junction, load as declared
  /// Without it, the wanted displacement as set-point: where the specimen's force acts on
  /// the transfer system's mass, and for a stiff servo. Nothing if a transfer system has
  /// no stiffness.
  std::optional<DominantMode> loaded;
  std::optional<DominantMode> stiff;
};

/// Constants of integration (eigenvalues at zero) are left out.
/// @returns nothing if a part is not linear
std::optional<SubstructuringStability> loop_stability(const Substructuring& test);

}  // namespace trestle::bond_graph
