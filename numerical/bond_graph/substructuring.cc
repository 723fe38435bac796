#include "numerical/bond_graph/substructuring.h"

#include <algorithm>

#include "core/base/setting_error_collector.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/augmentation.h"
#include "numerical/bond_graph/graph_cut.h"
#include "numerical/bond_graph/graph_model.h"
#include "numerical/bond_graph/graph_structure.h"

namespace trestle::bond_graph {
namespace {

/// Those asked-for outputs whose component is in this graph.
std::vector<Signal> asked_in(const Graph& graph, const GraphModel& model) {
  std::vector<Signal> signals;
  for (const RequestedOutput& asked : model.outputs)
    if (graph.find(asked.component) < graph.elements().size())
      signals.push_back(signal_of(graph, asked.component, asked.is_effort, asked.path));
  return signals;
}

std::vector<Signal> joined(std::vector<Signal> first, const std::vector<Signal>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// v and F_P of every port, seen in the whole.
std::vector<Signal> port_signals(const GraphCut& cut) {
  std::vector<Signal> signals;
  for (std::size_t i = 0; i < cut.bonds.size(); ++i)
    signals.push_back({cut.velocities[i].name, cut.bonds[i], false, 1.0});
  for (std::size_t i = 0; i < cut.bonds.size(); ++i)
    signals.push_back({cut.forces[i].name, cut.bonds[i], true, cut.ports[i].sign});
  return signals;
}

}  // namespace

std::vector<Signal> requested_outputs(const GraphModel& model) {
  SettingErrorCollector problems;
  std::vector<Signal> signals;
  for (const RequestedOutput& asked : model.outputs) try {
      signals.push_back(
          signal_of(model.graph, asked.component, asked.is_effort, asked.path));
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
  problems.throw_if_any();
  return signals;
}

Substructuring substructure(const GraphModel& model) {
  const std::vector<Signal> asked = requested_outputs(model);
  const Causality causality = assign_causality(model.graph);
  GraphCut parts = cut(model.graph, model.physical, causality, model.physical_path);
  const std::vector<Signal> of_whole = joined(port_signals(parts), asked);
  const Analysis whole = analyse(model.graph, of_whole);
  Substructuring result;
  result.name = model.name;
  result.notes = notes(model.graph, whole);
  result.whole = make_system(model.graph, whole, of_whole);

  // Either part may be in several pieces; only the whole must hang together.
  check_structure(parts.numerical, false);
  check_structure(parts.physical, false);
  const std::vector<Signal> of_numerical =
      joined(parts.velocities, asked_in(parts.numerical, model));
  const Analysis numerical = analyse(parts.numerical, of_numerical);
  check_storages(model.graph, causality, parts.numerical, numerical.causality);
  result.numerical = make_system(parts.numerical, numerical, of_numerical);

  const std::vector<Signal> of_physical =
      joined(parts.forces, asked_in(parts.physical, model));
  const Analysis physical = analyse(parts.physical, of_physical);
  check_storages(model.graph, causality, parts.physical, physical.causality);
  result.physical = make_system(parts.physical, physical, of_physical);

  result.augmented = augment(model, parts, numerical, result.numerical, result.notes);
  return result;
}

}  // namespace trestle::bond_graph
