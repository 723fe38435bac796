#include "numerical/bond_graph/drawing.h"

#include <algorithm>
#include <map>
#include <vector>

#include "numerical/bond_graph/causality.h"

namespace trestle::bond_graph {
namespace {

std::string in_text(const std::string& name) {
  std::string text;
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return "\"" + text + "\"";
}

const char* letters(ElementType type) {
  switch (type) {
    case ElementType::kEffortSource:
      return "Se";
    case ElementType::kFlowSource:
      return "Sf";
    case ElementType::kInertia:
      return "I";
    case ElementType::kSpring:
      return "C";
    case ElementType::kResistor:
      return "R";
    case ElementType::kTransformer:
      return "TF";
    case ElementType::kGyrator:
      return "GY";
    case ElementType::kZeroJunction:
      return "0";
    case ElementType::kOneJunction:
      return "1";
    case ElementType::kEffortDetector:
      return "De";
    case ElementType::kFlowDetector:
      return "Df";
    case ElementType::kPort:
      return "P";
  }
  return "";
}

std::string node(const Element& element, bool physical, bool follows) {
  const std::string own = element.name.substr(element.name.find('/') + 1);
  std::string style = physical ? "filled" : "";
  if (follows) style += style.empty() ? "dashed" : ",dashed";
  return in_text(element.name) + " [label=" +
         (is_junction(element.type)
              ? in_text(letters(element.type))
              : in_text(std::string(letters(element.type)) + ": " + own)) +
         ", tooltip=" + in_text(element.name) +
         (style.empty() ? "" : ", style=" + in_text(style)) +
         (follows ? ", shape=box" : "") + "];\n";
}

std::string edge(const Graph& graph, const Bond& bond, bool effort_to_head, bool is_cut) {
  std::string text = "  " + in_text(graph.element(bond.tail).name) + " -> " +
                     in_text(graph.element(bond.head).name) + " [arrowhead=" +
                     (effort_to_head ? "teelvee, arrowtail=none" : "lvee, arrowtail=tee");
  if (is_cut) text += ", color=red, fontcolor=red, penwidth=2, label=" + in_text(bond.name);
  return text + "];\n";
}

}  // namespace

std::string drawing(const GraphModel& model) {
  const Graph& graph = model.graph;
  const Causality causality = assign_causality(graph);
  std::string text =
      "digraph bond_graph {\n"
      "  rankdir=LR;\n  label=" +
      in_text(model.name) +
      ";\n  fontname=\"sans-serif\";\n"
      "  node [shape=plaintext, fontname=\"sans-serif\", fillcolor=\"#ffd9a0\", "
      "margin=0.06, "
      "width=0, height=0];\n"
      "  edge [dir=both, fontname=\"sans-serif\", arrowsize=0.8];\n";
  std::map<std::string, std::string> boxes;
  for (std::size_t i = 0; i < graph.elements().size(); ++i) {
    const Element& element = graph.element(i);
    const bool follows = std::find(causality.derivative.begin(), causality.derivative.end(),
                                   i) != causality.derivative.end();
    const std::size_t slash = element.name.find('/');
    const std::string line = node(element, model.physical[i], follows);
    if (slash == std::string::npos)
      text += "  " + line;
    else
      boxes[element.name.substr(0, slash)] += "    " + line;
  }
  for (const auto& [name, lines] : boxes)
    text += "  subgraph " + in_text("cluster_" + name) + " {\n    label=" + in_text(name) +
            "; color=gray60; style=rounded;\n" + lines + "  }\n";
  for (std::size_t b = 0; b < graph.bonds().size(); ++b) {
    const Bond& bond = graph.bond(b);
    text += edge(graph, bond, causality.effort_to_head[b],
                 model.physical[bond.tail] != model.physical[bond.head]);
  }
  return text + "}\n";
}

}  // namespace trestle::bond_graph
