#pragma once

#include <string>
#include <vector>

#include "numerical/bond_graph/causality.h"
#include "numerical/bond_graph/graph.h"
#include "numerical/bond_graph/interface_port.h"
#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

/// A graph in two parts, each with a port element in place of every bond between them.
struct GraphCut {
  Graph numerical;  ///< its ports impose the effort: input F_P in the canonical sense
  Graph physical;   ///< its ports impose the flow: input v
  std::vector<InterfacePort> ports;  ///< in bond order
  std::vector<std::size_t> bonds;    ///< of the whole, per port

  /// v of every port from the model's side, F_P of every port from the hardware's.
  std::vector<Signal> velocities;  ///< in `numerical`
  std::vector<Signal> forces;      ///< in `physical`
};

/// @param physical  per element of the graph: whether it exists as hardware
/// @param whole     causality of the graph
/// @param path      of the setting that marks the hardware, for errors
/// @throws SettingError [E_CUT_EMPTY, E_CUT_ALL, E_CUT_NONE] if there is no cut,
///         [E_ASSUMPTION1] where the model's end of a cut bond does not receive the effort
GraphCut cut(const Graph& graph, const std::vector<bool>& physical, const Causality& whole,
             const std::string& path);

/// @param part   numerical or physical, with its own causality
/// @throws SettingError [E_CUT_CAUSALITY] if a storage of the part is in integral form
/// in
///         the whole and not in the part
void check_storages(const Graph& whole, const Causality& of_whole, const Graph& part,
                    const Causality& of_part);

}  // namespace trestle::bond_graph
