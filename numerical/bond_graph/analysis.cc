#include "numerical/bond_graph/analysis.h"

#include "core/base/nearest_name.h"
#include "numerical/bond_graph/dependency_order.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/graph_right_hand_side.h"
#include "numerical/bond_graph/linear_graph.h"
#include "numerical/bond_graph/linear_right_hand_side.h"

namespace trestle::bond_graph {

Analysis analyse(const Graph& graph, const std::vector<Signal>& outputs) {
  Analysis analysis{assign_causality(graph), {}};
  analysis.structure = junction_structure(graph, analysis.causality, outputs);
  return analysis;
}

namespace {

Eigen::VectorXd initial_states(const Graph& graph, const JunctionStructure& S) {
  for (const std::size_t element : S.derivative)
    if (const Element& one = graph.element(element); one.initial != 0.0)
      fail("E_INITIAL", one.path,
           "`" + one.name +
               "` only follows other masses or springs (derivative causality), so that it "
               "has no initial state; give that of what it follows");
  Eigen::VectorXd initial(static_cast<Eigen::Index>(S.integral.size()));
  for (std::size_t i = 0; i < S.integral.size(); ++i)
    initial[static_cast<Eigen::Index>(i)] = graph.element(S.integral[i]).initial;
  return initial;
}

}  // namespace

GraphSystem make_system(const Graph& graph, const Analysis& analysis,
                        const std::vector<Signal>& outputs) {
  const JunctionStructure& S = analysis.structure;
  GraphSystem system;
  for (const std::size_t element : S.integral)
    system.states.push_back(state_name(graph.element(element)));
  for (const std::size_t element : S.inputs)
    system.inputs.push_back(graph.element(element).name);
  for (const Signal& output : outputs) system.outputs.push_back(output.name);
  system.initial = initial_states(graph, S);
  if (graph.has_laws()) {
    system.right_hand_side = std::make_unique<GraphRightHandSide>(graph, S);
  } else {
    refuse_input_rates(graph, S);
    system.linear = linearise_graph(graph, S).system;
    system.right_hand_side = std::make_unique<LinearRightHandSide>(*system.linear);
  }
  return system;
}

std::vector<Diagnostic> notes(const Graph& graph, const Analysis& analysis) {
  const JunctionStructure& S = analysis.structure;
  std::vector<Diagnostic> notes;
  std::vector<std::string> loop;
  for (const Eigen::Index i : cyclic_rows(S.r.r))
    loop.push_back(graph.element(S.resistors[static_cast<std::size_t>(i)]).name);
  if (!loop.empty())
    notes.push_back({"W_ALGEBRAIC_LOOP",
                     "the dampers " + quoted(loop) +
                         " act on each other without a mass or spring between (algebraic "
                         "loop); they are solved together in every step",
                     loop});
  std::vector<std::string> dependent;
  for (const std::size_t i : S.derivative) dependent.push_back(graph.element(i).name);
  if (!dependent.empty())
    notes.push_back({"W_DERIVATIVE",
                     quoted(dependent) + (dependent.size() == 1 ? " moves" : " move") +
                         " rigidly with other masses or springs (derivative causality) and "
                         "adds no separate state; if that is not meant, a spring between "
                         "them is missing",
                     dependent});
  return notes;
}

Signal signal_of(const Graph& graph, const std::string& component, bool is_effort,
                 const std::string& path) {
  const std::size_t index = graph.find(component);
  if (index == graph.elements().size()) {
    std::vector<std::string> known;
    for (const Element& element : graph.elements()) known.push_back(element.name);
    fail("E_UNKNOWN", path,
         "there is no component `" + component + "`" + suggest(component, known));
  }
  const ElementType common =
      is_effort ? ElementType::kZeroJunction : ElementType::kOneJunction;
  if (graph.ends(index).size() != 1 && graph.element(index).type != common)
    fail("E_UNKNOWN", path,
         "`" + component + "` has several bonds with " + (is_effort ? "efforts" : "flows") +
             " of their own; name a component at one of them instead");
  return {component + (is_effort ? ".e" : ".f"), graph.ends(index).front().bond, is_effort,
          1.0};
}

std::string state_name(const Element& storage) {
  return storage.name + (storage.type == ElementType::kInertia ? ".p" : ".q");
}

}  // namespace trestle::bond_graph
