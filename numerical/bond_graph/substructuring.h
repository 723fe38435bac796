#pragma once

#include <string>
#include <vector>

#include "numerical/bond_graph/augmented_substructure.h"
#include "numerical/bond_graph/diagnostic.h"
#include "numerical/bond_graph/graph_system.h"
#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

struct GraphModel;

/// Everything that follows from a model file with a cut.
struct Substructuring {
  std::string name;
  /// The emulated structure: from its sources to v of every port, F_P of every port, then
  /// the outputs that the file asks for.
  GraphSystem whole;
  /// The model's side: from F_P of every port, then sources, to v_N of every port, then
  /// those asked-for outputs that lie in it.
  GraphSystem numerical;
  /// The hardware's side, as a model: from v of every port, then sources in it, to F_P of
  /// every port, then those asked-for outputs that lie in it.
  GraphSystem physical;
  AugmentedSubstructure augmented;
  std::vector<Diagnostic> notes;
};

/// The outputs that a model file asks for, in its whole graph.
/// @throws SettingError [E_UNKNOWN] with all that name no component or no one variable
std::vector<Signal> requested_outputs(const GraphModel& model);

/// Cuts the graph, checks it and makes the virtual junction.
/// @throws SettingError with all that is wrong, in sentences that end with their code
Substructuring substructure(const GraphModel& model);

}  // namespace trestle::bond_graph
