#include "numerical/bond_graph/graph_structure.h"

#include <numeric>

#include "core/base/setting_error_collector.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/graph.h"

namespace trestle::bond_graph {
namespace {

std::string bonds(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " bond" : " bonds");
}

/// @returns the complaint, or nothing
std::string wrong_number_of_bonds(const Element& element, std::size_t count) {
  const std::string has = "`" + element.name + "` has " + bonds(count) + "; ";
  if (is_junction(element.type))
    return count >= 2 ? ""
                      : has +
                            "a junction joins two at least: add the bond that is missing, "
                            "or leave the junction out";
  if (is_two_port(element.type))
    return count == 2 ? "" : has + "a transformer or gyrator has exactly two";
  return count == 1 ? ""
                    : has +
                          "such a component has exactly one: connect it to a junction, "
                          "and the junction to the others";
}

/// Numbers the sides of a two-port: as stated, or 1 for the bond that points in.
/// @returns the complaint, or nothing
std::string number_sides(const std::string& name, std::vector<BondEnd>& ends) {
  BondEnd& first = ends[0];
  BondEnd& second = ends[1];
  if (first.side == 0 && second.side != 0) first.side = 3 - second.side;
  if (second.side == 0 && first.side != 0) second.side = 3 - first.side;
  if (first.side == 0) {
    if (first.is_head == second.is_head)
      return "both bonds of `" + name + "` point " + (first.is_head ? "into" : "out of") +
             " it, so that nobody knows its sides; write `" + name + ".1` and `" + name +
             ".2`";
    first.side = first.is_head ? 1 : 2;
    second.side = 3 - first.side;
  }
  if (first.side == second.side)
    return "both bonds of `" + name + "` go to its side " + std::to_string(first.side) +
           "; one must go to `" + name + "." + std::to_string(3 - first.side) + "`";
  return "";
}

/// Elements that hang together have the same number.
std::vector<std::size_t> parts(const Graph& graph) {
  std::vector<std::size_t> part(graph.elements().size());
  std::iota(part.begin(), part.end(), std::size_t{0});
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Bond& bond : graph.bonds()) {
      const std::size_t least = std::min(part[bond.tail], part[bond.head]);
      changed = changed || part[bond.tail] != least || part[bond.head] != least;
      part[bond.tail] = part[bond.head] = least;
    }
  }
  return part;
}

}  // namespace

void check_structure(Graph& graph, bool connected) {
  SettingErrorCollector problems;
  const auto complain = [&](const std::string& path, const std::string& what,
                            const char* code) {
    if (!what.empty()) problems.add(path, coded(what, code));
  };
  for (const Bond& bond : graph.bonds_) {
    if (bond.tail == bond.head)
      complain(bond.path,
               "the bond `" + bond.name +
                   "` begins and ends at the same component; it must "
                   "join two",
               "E_PORTS");
    const Element& tail = graph.element(bond.tail);
    if (is_storage(tail.type) || tail.type == ElementType::kResistor)
      complain(bond.path,
               "the bond `" + bond.name + "` points out of `" + tail.name +
                   "`; a bond points into a mass, spring or damper: write [" +
                   graph.element(bond.head).name + ", " + tail.name +
                   "] and mind that this turns the sign of its flow at the junction",
               "E_DIRECTION");
  }
  for (std::size_t i = 0; i < graph.elements_.size(); ++i) {
    const Element& element = graph.elements_[i];
    const std::string wrong = wrong_number_of_bonds(element, graph.ends_[i].size());
    complain(element.path, wrong, "E_PORTS");
    if (wrong.empty() && is_two_port(element.type))
      complain(element.path, number_sides(element.name, graph.ends_[i]), "E_PORTS");
  }
  if (connected && problems.empty()) {
    const std::vector<std::size_t> part = parts(graph);
    for (std::size_t i = 0; i < part.size(); ++i)
      if (part[i] == i && i > 0)
        complain(graph.element(i).path,
                 "`" + graph.element(i).name +
                     "` and what hangs on it are not connected to `" +
                     graph.element(0).name +
                     "`; a structure is one graph: add the bond that joins the parts",
                 "E_DISCONNECTED");
  }
  problems.throw_if_any();
}

}  // namespace trestle::bond_graph
