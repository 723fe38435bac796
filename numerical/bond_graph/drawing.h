#pragma once

#include <string>

#include "numerical/bond_graph/graph_model.h"

namespace trestle::bond_graph {

/// The graph in Graphviz's language: half arrows for the direction of power, a bar at the
/// end of each bond that receives the effort, hardware filled, cut bonds in red with their
/// names, the parts of a template in a box, storages that follow others dashed.
/// @pre check_structure(model.graph)
/// @throws SettingError [E_CAUSAL_CONFLICT]
std::string drawing(const GraphModel& model);

}  // namespace trestle::bond_graph
