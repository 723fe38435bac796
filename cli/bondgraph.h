#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerical/bond_graph/graph_model.h"
#include "numerical/bond_graph/substructuring.h"
#include "numerical/bond_graph/substructuring_stability.h"

namespace trestle {

/// What `trestle bondgraph` shows of a model.
struct BondgraphFindings {
  bond_graph::GraphModel model;
  bond_graph::GraphSystem whole;  ///< of a model without a cut
  std::optional<bond_graph::Substructuring> cut;
  std::vector<bond_graph::Diagnostic> notes;
  std::optional<bond_graph::SubstructuringStability> loops;
};

/// @throws ConfigError with file:line:col of all that is wrong
BondgraphFindings bondgraph_findings(const std::string& file,
                                     const std::vector<std::string>& overrides);

/// In lines for people.
void print_findings(const BondgraphFindings& findings);
void print_matrices(const BondgraphFindings& findings);

/// As JSON on standard output.
void print_findings_json(const BondgraphFindings& findings);
void print_matrices_json(const BondgraphFindings& findings);

}  // namespace trestle
