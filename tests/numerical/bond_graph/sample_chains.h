#pragma once

#include <string>
#include <vector>

#include "numerical/bond_graph/graph_model.h"

namespace trestle::bond_graph {

/// The component of section 4 of the paper (specification, section 5): a 0-junction `L`
/// with spring k, and a 1-junction `R` with mass m and damper c to the ground.
struct MassSettings {
  double m = 1.0;
  double k = 1.0;
  double c = 0.1;
  ConstitutiveLawFactory spring = {};
};
void add_mass(Graph& graph, const std::string& name, const MassSettings& settings);

/// Sf r - mass 1 - mass 2 - ..., the masses from `cut` on as hardware, the transfer system
/// another such mass whose left end rests.
struct ChainSettings {
  std::vector<MassSettings> masses = std::vector<MassSettings>(3);
  std::size_t cut = 2;
  MassSettings transfer{.c = 1.0};
};
GraphModel chain(const ChainSettings& settings);

/// Section 5 of the paper: r1 - mn1 - m3 - mn2 - r2, m3 with both springs as hardware.
struct TwoPortSettings {
  double m = 2.2;
  double k = 4750.0;
  double c = 6.0;
  bool dampers_to_ground = false;
  bool left_to_right = false;  ///< port 2 bond points from hardware to model
  double load = 1.0;
};
GraphModel two_ports(const TwoPortSettings& settings);

}  // namespace trestle::bond_graph
