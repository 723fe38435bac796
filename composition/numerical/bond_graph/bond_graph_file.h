#pragma once

#include <string>

#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// Reads a bond graph's own file and cuts it.
/// @throws ConfigError with everything that is wrong in it, each at its place
bond_graph::Substructuring read_substructuring(const std::string& file);

}  // namespace trestle::bond_graph
