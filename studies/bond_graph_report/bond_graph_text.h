#pragma once

#include <string>

#include "studies/bond_graph_report/bond_graph_findings.h"

namespace trestle::bond_graph_report {

/// Formats the results of a model: parts, ports, stability and notes.
std::string findings_text(const BondGraphFindings& findings);

/// The matrices that follow from a model, human-readable.
std::string matrices_text(const BondGraphFindings& findings);

}  // namespace trestle::bond_graph_report
