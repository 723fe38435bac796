#include "tests/numerical/bond_graph/sample_chains.h"

#include "numerical/bond_graph/graph_structure.h"

namespace trestle::bond_graph {
namespace {

void add(Graph& graph, const std::string& name, ElementType type, double value = 0.0,
         ConstitutiveLawFactory law = {}) {
  graph.add({.name = name, .type = type, .value = value, .law = std::move(law)});
}

TransferModel transfer_of(const std::string& name, const MassSettings& settings) {
  Graph graph;
  add(graph, "wall", ElementType::kFlowSource);
  add_mass(graph, "t", settings);
  add(graph, "F", ElementType::kEffortSource);
  graph.connect("wall", "t/L");
  graph.connect("F", "t/R");
  check_structure(graph, true);
  return {.name = name,
          .port = "",
          .graph = std::move(graph),
          .force = "F",
          .velocity = "F",
          .given = {},
          .load = 1.0,
          .delay = 0.0,
          .path = "transfer." + name};
}

/// Spring and damper between two 1-junctions, in parallel.
void add_link(Graph& graph, const std::string& name, const std::string& from,
              const std::string& to, const TwoPortSettings& settings, std::string bond_from,
              std::string bond_to) {
  add(graph, name + "/0", ElementType::kZeroJunction);
  add(graph, name + "/1", ElementType::kOneJunction);
  add(graph, name + "/k", ElementType::kSpring, settings.k);
  graph.connect(from, name + "/0", std::move(bond_from));
  graph.connect(name + "/0", to, std::move(bond_to));
  graph.connect(name + "/0", name + "/1");
  graph.connect(name + "/1", name + "/k");
  if (settings.dampers_to_ground) return;
  add(graph, name + "/c", ElementType::kResistor, settings.c);
  graph.connect(name + "/1", name + "/c");
}

}  // namespace

void add_mass(Graph& graph, const std::string& name, const MassSettings& settings) {
  add(graph, name + "/L", ElementType::kZeroJunction);
  add(graph, name + "/R", ElementType::kOneJunction);
  add(graph, name + "/k", ElementType::kSpring, settings.k, settings.spring);
  add(graph, name + "/m", ElementType::kInertia, settings.m);
  add(graph, name + "/c", ElementType::kResistor, settings.c);
  graph.connect(name + "/L", name + "/k");
  graph.connect(name + "/L", name + "/R");
  graph.connect(name + "/R", name + "/m");
  graph.connect(name + "/R", name + "/c");
}

GraphModel chain(const ChainSettings& settings) {
  GraphModel model;
  model.name = "chain";
  add(model.graph, "r", ElementType::kFlowSource);
  std::string end = "r";
  for (std::size_t i = 0; i < settings.masses.size(); ++i) {
    const std::string name = "mass" + std::to_string(i + 1);
    add_mass(model.graph, name, settings.masses[i]);
    model.graph.connect(end, name + "/L", i == settings.cut ? "interface" : "");
    end = name + "/R";
  }
  check_structure(model.graph, true);
  for (const Element& element : model.graph.elements()) {
    const bool mass = element.name.starts_with("mass");
    model.physical.push_back(mass &&
                             element.name[4] > static_cast<char>('0' + settings.cut));
  }
  model.has_partition = true;
  model.transfers = {transfer_of("tra", settings.transfer)};
  model.outputs = {{false, "mass" + std::to_string(settings.masses.size()) + "/m", ""}};
  return model;
}

GraphModel two_ports(const TwoPortSettings& settings) {
  GraphModel model;
  Graph& graph = model.graph;
  for (const char* number : {"1", "2"}) {
    add(graph, std::string("r") + number, ElementType::kFlowSource);
    add(graph, std::string("v") + number, ElementType::kOneJunction);
  }
  add(graph, "v3", ElementType::kOneJunction);
  const auto mass = [&](const std::string& number) {
    add(graph, "m" + number, ElementType::kInertia, settings.m);
    graph.connect("v" + number, "m" + number);
    if (!settings.dampers_to_ground) return;
    add(graph, "c" + number, ElementType::kResistor, settings.c);
    graph.connect("v" + number, "c" + number);
  };
  add_link(graph, "wall1", "r1", "v1", settings, "", "");
  mass("1");
  const bool turned = settings.left_to_right;
  if (turned)
    add_link(graph, "wall2", "v2", "r2", settings, "", "");
  else
    add_link(graph, "wall2", "r2", "v2", settings, "", "");
  mass("2");
  add_link(graph, "spring1", "v1", "v3", settings, "port1", "");
  mass("3");
  if (turned)
    add_link(graph, "spring2", "v3", "v2", settings, "", "port2");
  else
    add_link(graph, "spring2", "v2", "v3", settings, "port2", "");
  check_structure(graph, true);
  for (const Element& element : graph.elements())
    model.physical.push_back(element.name.starts_with("spring") ||
                             element.name.ends_with("3"));
  model.has_partition = true;
  model.transfers = {transfer_of("T1", {.m = 2.2, .k = 13618.0, .c = 150.8}),
                     transfer_of("T2", {.m = 2.2, .k = 25902.0, .c = 200.8})};
  for (TransferModel& transfer : model.transfers) transfer.load = settings.load;
  model.outputs = {{false, "m3", ""}};
  return model;
}

}  // namespace trestle::bond_graph
