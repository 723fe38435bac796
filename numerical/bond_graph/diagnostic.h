#pragma once

#include <string>
#include <vector>

namespace trestle::bond_graph {

/// What a graph's author should know although it works: `W_ALGEBRAIC_LOOP`, `W_DERIVATIVE`.
/// What does not work is a SettingError whose sentence ends with its code:
/// `[E_ASSUMPTION1]`.
struct Diagnostic {
  std::string code;
  std::string text;                ///< a sentence with a hint
  std::vector<std::string> where;  ///< names of components or bonds
};

}  // namespace trestle::bond_graph
