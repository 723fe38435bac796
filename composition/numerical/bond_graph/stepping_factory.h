#pragma once

#include <string>
#include <vector>

#include "numerical/bond_graph/runtime/bond_graph_substructure.h"
#include "numerical/bond_graph/runtime/emulated_structure.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Test;
}

namespace trestle::bond_graph {

/// Returns how a test steps a model: ports and sources by name, hold, lead and delay.
/// @param sites  their interface DOFs, in the order of the test
/// @throws SettingError with all problems that can be told at once
SteppingSettings stepping_settings(const config::Test& test, const Substructuring& model,
                                   const std::vector<structure::ExperimentalPart>& sites);

/// The same structure in one piece, under the same sources. Ports are called by their
/// interface DOFs, or in a test without sites by their bonds.
/// @throws SettingError as stepping_settings()
EmulatedSettings emulated_settings(const config::Test& test, const Substructuring& model,
                                   const std::vector<structure::ExperimentalPart>& sites);

}  // namespace trestle::bond_graph
