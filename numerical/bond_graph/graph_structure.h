#pragma once

#include "numerical/bond_graph/graph.h"

namespace trestle::bond_graph {

/// Counts bonds, looks at their directions, and gives the sides of two-ports their numbers.
/// @param connected  whether the graph must be in one piece
/// @throws SettingError with all that is wrong [E_PORTS, E_DIRECTION, E_DISCONNECTED]
void check_structure(Graph& graph, bool connected);

}  // namespace trestle::bond_graph
