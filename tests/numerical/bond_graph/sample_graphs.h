#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/graph.h"
#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

/// A component by its letters, as in a model file: `I`, `C`, `R`, `TF`, `Se`, `1` ...
struct Part {
  std::string name;
  std::string type;
  double value = 0.0;
  ConstitutiveLawFactory law = {};
  bool law_of_effort = false;
};

/// Not checked.
Graph raw_graph(const std::vector<Part>& parts,
                const std::vector<std::pair<std::string, std::string>>& bonds);

/// Checked; in one piece.
Graph graph_of(const std::vector<Part>& parts,
               const std::vector<std::pair<std::string, std::string>>& bonds);

/// Of a linear graph.
math::StateSpace linear(const Graph& graph, const std::vector<Signal>& outputs = {});

/// Coefficients from a_0 on.
ConstitutiveLawFactory polynomial(std::vector<double> coefficients);

/// What a SettingError of `action` says; empty if it throws none.
template <typename Action>
std::string complaint(Action action);

}  // namespace trestle::bond_graph

#include "core/base/setting_error.h"

template <typename Action>
std::string trestle::bond_graph::complaint(Action action) {
  try {
    action();
  } catch (const SettingError& error) {
    std::string text;
    for (const SettingIssue& problem : error.problems()) text += problem.what + "\n";
    return text;
  }
  return "";
}
