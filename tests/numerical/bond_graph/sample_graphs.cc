#include "tests/numerical/bond_graph/sample_graphs.h"

#include <map>
#include <memory>

#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/graph_structure.h"
#include "numerical/bond_graph/polynomial_law.h"

namespace trestle::bond_graph {

Graph raw_graph(const std::vector<Part>& parts,
                const std::vector<std::pair<std::string, std::string>>& bonds) {
  static const std::map<std::string, ElementType> kTypes{
      {"Se", ElementType::kEffortSource}, {"Sf", ElementType::kFlowSource},
      {"I", ElementType::kInertia},       {"C", ElementType::kSpring},
      {"R", ElementType::kResistor},      {"TF", ElementType::kTransformer},
      {"GY", ElementType::kGyrator},      {"0", ElementType::kZeroJunction},
      {"1", ElementType::kOneJunction},   {"De", ElementType::kEffortDetector},
      {"Df", ElementType::kFlowDetector}};
  Graph graph;
  for (const Part& part : parts)
    graph.add({.name = part.name,
               .type = kTypes.at(part.type),
               .value = part.value,
               .law = part.law,
               .law_of_effort = part.law_of_effort});
  for (const auto& [tail, head] : bonds) graph.connect(tail, head);
  return graph;
}

Graph graph_of(const std::vector<Part>& parts,
               const std::vector<std::pair<std::string, std::string>>& bonds) {
  Graph graph = raw_graph(parts, bonds);
  check_structure(graph, true);
  return graph;
}

math::StateSpace linear(const Graph& graph, const std::vector<Signal>& outputs) {
  return *make_system(graph, analyse(graph, outputs), outputs).linear;
}

ConstitutiveLawFactory polynomial(std::vector<double> coefficients) {
  return [coefficients] {
    return std::make_unique<PolynomialLaw>(coefficients);
  };
}

}  // namespace trestle::bond_graph
