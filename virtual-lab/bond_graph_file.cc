#include "virtual-lab/bond_graph_file.h"

#include "core/config/config_problems.h"
#include "core/config/source_map.h"
#include "numerical/bond-graph/graph_catalog.h"

namespace trestle {

bond_graph::Substructuring read_substructuring(const std::string& file) {
  SourceMap where;
  const bond_graph::GraphModel model = bond_graph::read_graph_model(file, {}, where);
  ConfigProblems problems(where);
  bond_graph::Substructuring made;
  problems.attempt([&] { made = bond_graph::substructure(model); });
  problems.throw_if_any();
  return made;
}

}  // namespace trestle
