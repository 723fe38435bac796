#pragma once

#include <vector>

#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/augmented_substructure.h"
#include "numerical/bond_graph/diagnostic.h"
#include "numerical/bond_graph/graph_cut.h"
#include "numerical/bond_graph/graph_model.h"

namespace trestle::bond_graph {

/// Puts the virtual junction before the numerical part of a cut, by state-space synthesis,
/// and checks it by the way of imposed flow where the transfer systems are graphs.
/// @param numerical  outputs: v_N of every port first
/// @param notes      what the user should know is added to them
/// @throws SettingError as transfer_system(), invert() and augmented()
AugmentedSubstructure augment(const GraphModel& model, const GraphCut& cut,
                              const Analysis& analysis, const GraphSystem& numerical,
                              std::vector<Diagnostic>& notes);

}  // namespace trestle::bond_graph
