#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerical/bond_graph/graph_model.h"
#include "numerical/bond_graph/substructuring.h"
#include "numerical/bond_graph/substructuring_stability.h"

namespace trestle::bond_graph_report {

/// The results of a bond graph: its system, its cut and its virtual junction.
struct BondGraphFindings {
  bond_graph::GraphModel model;
  bond_graph::GraphSystem whole;  ///< of a model without a cut
  std::optional<bond_graph::Substructuring> cut;
  std::vector<bond_graph::Diagnostic> notes;
  std::optional<bond_graph::SubstructuringStability> loops;
};

/// Reads MODEL.yaml and analyses it.
/// @param overrides  path=value
/// @throws ConfigError with file:line:col of all that is wrong
BondGraphFindings bond_graph_findings(const std::string& file,
                                      const std::vector<std::string>& overrides);

/// The drawing of a bond graph in Graphviz's language.
struct BondGraphDrawing {
  std::string model;  ///< name
  std::string dot;
};

/// Reads MODEL.yaml and draws it with its causality and its cut.
/// @param overrides  path=value
/// @throws ConfigError with file:line:col of all that is wrong
BondGraphDrawing bond_graph_drawing(const std::string& file,
                                    const std::vector<std::string>& overrides);

}  // namespace trestle::bond_graph_report
