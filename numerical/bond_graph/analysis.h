#pragma once

#include <string>
#include <vector>

#include "numerical/bond_graph/causality.h"
#include "numerical/bond_graph/diagnostic.h"
#include "numerical/bond_graph/graph_system.h"
#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

/// A checked graph with its causality and its junction structure.
struct Analysis {
  Causality causality;
  JunctionStructure structure;
};

/// @pre check_structure(graph)
/// @throws SettingError as assign_causality() and junction_structure()
Analysis analyse(const Graph& graph, const std::vector<Signal>& outputs);

/// The graph as a system from its ports and sources to `outputs`.
/// @throws SettingError as linearise_graph() and GraphRightHandSide, [E_INITIAL] where a
///         storage in derivative form has an initial state
GraphSystem make_system(const Graph& graph, const Analysis& analysis,
                        const std::vector<Signal>& outputs);

/// Algebraic loops [W_ALGEBRAIC_LOOP] and dependent storages [W_DERIVATIVE].
std::vector<Diagnostic> notes(const Graph& graph, const Analysis& analysis);

/// The effort or flow of a component, by its one bond or by what its bonds have in common.
/// @throws SettingError [E_UNKNOWN] if there is no such component or it has no one such
///         variable
Signal signal_of(const Graph& graph, const std::string& component, bool is_effort,
                 const std::string& path);

/// `mass1/k.q`: displacement of a spring; `mass1/m.p`: momentum of a mass.
std::string state_name(const Element& storage);

}  // namespace trestle::bond_graph
