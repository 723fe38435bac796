#include "numerical/bond_graph/graph_cut.h"

#include <algorithm>

#include "core/base/setting_error_collector.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {
namespace {

/// `mass2` of `mass2/j1`: what a user marked.
std::string instance_of(const std::string& element) {
  return element.substr(0, element.find('/'));
}

void check_marks(const std::vector<bool>& physical, const std::vector<std::size_t>& bonds,
                 const std::string& path) {
  const bool any = std::find(physical.begin(), physical.end(), true) != physical.end();
  const bool all = std::find(physical.begin(), physical.end(), false) == physical.end();
  if (!any)
    fail(
        "E_CUT_EMPTY", path,
        "no component is marked as hardware; name those that stand in the laboratory under "
        "`physical`");
  if (all)
    fail("E_CUT_ALL", path,
         "all components are marked as hardware, so that nothing is left to compute; take "
         "those out of `physical` that are only modelled");
  if (bonds.empty())
    fail("E_CUT_NONE", path,
         "no bond joins the hardware to the model, so that neither can feel the other; add "
         "the bond at which they meet");
}

void check_assumption(const Graph& graph, const Causality& whole,
                      const std::vector<bool>& physical,
                      const std::vector<std::size_t>& bonds) {
  SettingErrorCollector problems;
  for (const std::size_t b : bonds) {
    const Bond& bond = graph.bond(b);
    const bool numerical_is_head = physical[bond.tail];
    if (whole.effort_to_head[b] == numerical_is_head) continue;
    const std::string numerical =
        graph.element(numerical_is_head ? bond.head : bond.tail).name;
    const std::string hardware =
        graph.element(numerical_is_head ? bond.tail : bond.head).name;
    problems.add(
        bond.path,
        coded("at the cut bond `" + bond.name + "` the hardware (`" + hardware +
                  "`) would set the velocity and the model (`" + numerical +
                  "`) the force, but an actuator moves the specimen and a load cell "
                  "measures its force; move the cut to the other side of the "
                  "neighbouring spring, so that a mass stands on the model's side "
                  "and a spring on the hardware's",
              "E_ASSUMPTION1"));
  }
  problems.throw_if_any();
}

/// The elements of one side, and the bonds between them.
struct Part {
  Graph graph;
  std::vector<std::size_t> index;  // in the part, per element of the whole
};

Part part_of(const Graph& graph, const std::vector<bool>& physical, bool side) {
  Part part;
  part.index.resize(graph.elements().size());
  for (std::size_t i = 0; i < graph.elements().size(); ++i)
    if (physical[i] == side) part.index[i] = part.graph.add(graph.element(i));
  return part;
}

}  // namespace

GraphCut cut(const Graph& graph, const std::vector<bool>& physical, const Causality& whole,
             const std::string& path) {
  GraphCut result;
  for (std::size_t b = 0; b < graph.bonds().size(); ++b)
    if (physical[graph.bond(b).tail] != physical[graph.bond(b).head])
      result.bonds.push_back(b);
  check_marks(physical, result.bonds, path);
  check_assumption(graph, whole, physical, result.bonds);
  Part model = part_of(graph, physical, false);
  Part hardware = part_of(graph, physical, true);
  for (const Bond& bond : graph.bonds()) {
    if (physical[bond.tail] == physical[bond.head]) {
      Part& part = physical[bond.tail] ? hardware : model;
      Bond inner = bond;
      inner.tail = part.index[bond.tail];
      inner.head = part.index[bond.head];
      part.graph.connect(std::move(inner));
      continue;
    }
    const double sign = physical[bond.head] ? 1.0 : -1.0;
    for (Part* part : {&model, &hardware}) {
      const bool tail_stays = physical[bond.tail] == (part == &hardware);
      const std::size_t port =
          part->graph.add({.name = bond.name + (part == &model ? ".force" : ".velocity"),
                           .type = ElementType::kPort,
                           .imposes_effort = part == &model,
                           .sign = part == &model ? sign : 1.0,
                           .path = bond.path});
      Bond open = bond;
      open.tail = tail_stays ? part->index[bond.tail] : port;
      open.head = tail_stays ? port : part->index[bond.head];
      (tail_stays ? open.head_side : open.tail_side) = 0;
      part->graph.connect(std::move(open));
    }
    result.velocities.push_back(
        {bond.name + ".velocity", model.graph.bonds().size() - 1, false, 1.0});
    result.forces.push_back(
        {bond.name + ".force", hardware.graph.bonds().size() - 1, true, sign});
    const std::string tail = instance_of(graph.element(bond.tail).name);
    const std::string head = instance_of(graph.element(bond.head).name);
    result.ports.push_back({.bond = bond.name,
                            .numerical = sign > 0.0 ? tail : head,
                            .physical = sign > 0.0 ? head : tail,
                            .sign = sign});
  }
  result.numerical = std::move(model.graph);
  result.physical = std::move(hardware.graph);
  return result;
}

void check_storages(const Graph& whole, const Causality& of_whole, const Graph& part,
                    const Causality& of_part) {
  for (const std::size_t i : of_part.derivative) {
    const Element& one = part.element(i);
    const std::size_t before = whole.find(one.name);
    if (std::find(of_whole.integral.begin(), of_whole.integral.end(), before) ==
        of_whole.integral.end())
      continue;
    fail("E_CUT_CAUSALITY", one.path,
         "the cut takes the independent motion of `" + one.name +
             "`: in the whole structure it has "
             "a separate energy, beside the cut it only follows what the port "
             "prescribes; "
             "move the cut away from it, to the other side of the neighbouring spring or "
             "mass");
  }
}

}  // namespace trestle::bond_graph
