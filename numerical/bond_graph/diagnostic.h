#pragma once

#include <string>
#include <vector>

namespace trestle::bond_graph {

/// A warning for the author of a valid graph: `W_ALGEBRAIC_LOOP`, `W_DERIVATIVE`. An
/// invalid graph is a SettingError whose sentence ends with its code: `[E_ASSUMPTION1]`.
struct Diagnostic {
  std::string code;
  std::string text;                ///< a sentence with a hint
  std::vector<std::string> where;  ///< names of components or bonds
};

}  // namespace trestle::bond_graph
