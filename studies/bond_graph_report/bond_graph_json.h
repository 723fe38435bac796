#pragma once

#include <string>

#include "studies/bond_graph_report/bond_graph_findings.h"

namespace trestle::bond_graph_report {

/// `trestle bondgraph check --json`: one object, ends with a newline.
std::string findings_json(const BondGraphFindings& findings);

/// `trestle bondgraph derive --json`: one object, ends with a newline.
std::string matrices_json(const BondGraphFindings& findings);

}  // namespace trestle::bond_graph_report
