#pragma once

#include <cstddef>
#include <vector>

#include "numerical/bond_graph/graph.h"

namespace trestle::bond_graph {

/// Which end of each bond receives the effort (has the causal stroke); the other receives
/// the flow.
struct Causality {
  std::vector<bool> effort_to_head;     ///< per bond
  std::vector<std::size_t> integral;    ///< storages, in element order
  std::vector<std::size_t> derivative;  ///< storages that others prescribe
  std::vector<std::size_t> chosen;  ///< dampers whose form was free: candidates of loops

  bool receives_effort(const BondEnd& end) const noexcept {
    return effort_to_head[end.bond] == end.is_head;
  }
};

/// Sequential assignment (Karnopp, Margolis and Rosenberg): sources, ports and detectors;
/// dampers with a law of one form; storages in integral form; what is left. Each choice is
/// propagated before the next; one that leads to a contradiction is taken back.
/// @pre check_structure(graph)
/// @throws SettingError [E_CAUSAL_CONFLICT] that names both who demand the contrary
Causality assign_causality(const Graph& graph);

}  // namespace trestle::bond_graph
