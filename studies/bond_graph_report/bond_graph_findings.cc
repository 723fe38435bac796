#include "studies/bond_graph_report/bond_graph_findings.h"

#include "composition/numerical/bond_graph/graph_factory.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error.h"
#include "core/yaml/source_map.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/drawing.h"

namespace trestle::bond_graph_report {

BondGraphFindings bond_graph_findings(const std::string& file,
                                      const std::vector<std::string>& overrides) {
  yaml::SourceMap where;
  BondGraphFindings findings;
  findings.model = bond_graph::read_graph_model(file, overrides, where);
  try {
    if (findings.model.has_partition) {
      findings.cut = bond_graph::substructure(findings.model);
      findings.notes = findings.cut->notes;
      findings.loops = bond_graph::loop_stability(*findings.cut);
    } else {
      const auto outputs = bond_graph::requested_outputs(findings.model);
      const auto analysis = bond_graph::analyse(findings.model.graph, outputs);
      findings.notes = bond_graph::notes(findings.model.graph, analysis);
      findings.whole = bond_graph::make_system(findings.model.graph, analysis, outputs);
    }
  } catch (const SettingError& error) {
    throw yaml::ConfigError(where.explain(error));
  }
  return findings;
}

BondGraphDrawing bond_graph_drawing(const std::string& file,
                                    const std::vector<std::string>& overrides) {
  yaml::SourceMap where;
  const bond_graph::GraphModel model = bond_graph::read_graph_model(file, overrides, where);
  try {
    return {model.name, bond_graph::drawing(model)};
  } catch (const SettingError& error) {
    throw yaml::ConfigError(where.explain(error));
  }
}

}  // namespace trestle::bond_graph_report
