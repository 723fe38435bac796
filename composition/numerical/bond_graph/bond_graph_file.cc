#include "composition/numerical/bond_graph/bond_graph_file.h"

#include "composition/numerical/bond_graph/graph_factory.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/source_map.h"

namespace trestle::bond_graph {

bond_graph::Substructuring read_substructuring(const std::string& file) {
  yaml::SourceMap where;
  const bond_graph::GraphModel model = bond_graph::read_graph_model(file, {}, where);
  yaml::ConfigErrorCollector problems(where);
  bond_graph::Substructuring made;
  problems.attempt([&] { made = bond_graph::substructure(model); });
  problems.throw_if_any();
  return made;
}

}  // namespace trestle::bond_graph
