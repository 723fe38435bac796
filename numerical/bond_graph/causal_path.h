#pragma once

#include <Eigen/Core>
#include <optional>

#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

/// The shortest causal path from an input to an output: the least number of integral
/// storages minus derivative storages on the way; nothing if there is no way. It is the
/// relative degree but where numbers cancel, which can only make that larger.
std::optional<int> shortest_path(const JunctionStructure& S, Eigen::Index input,
                                 Eigen::Index output);

}  // namespace trestle::bond_graph
