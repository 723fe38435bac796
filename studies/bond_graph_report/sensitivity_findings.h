#pragma once

#include <string>
#include <vector>

#include "numerical/bond_graph/graph_system.h"
#include "numerical/bond_graph/parameter_sensitivity.h"

namespace trestle::bond_graph_report {

/// How much the number of each component of a linear bond graph matters.
struct SensitivityFindings {
  std::string model;  ///< name
  bond_graph::GraphSystem whole;
  std::vector<bond_graph::ParameterSensitivity> parameters;  ///< in the file's order
  std::vector<std::string> without;  ///< components that only follow others: no sensitivity
  std::vector<bond_graph::PoleSensitivity> poles;  ///< slowest first
};

/// How an oscillating mode moves with a number, per relative change of that number.
struct ModeChange {
  double frequency = 0.0;  ///< relative change of |λ|
  double damping = 0.0;    ///< change of the damping ratio −Re λ/|λ|
};

/// @param rate  dλ/dθ
ModeChange mode_change(std::complex<double> pole, std::complex<double> rate, double value);

/// Reads MODEL.yaml and derives the whole structure by every number.
/// @param overrides  path=value
/// @throws ConfigError with file:line:col of all that is wrong; where a law is not linear
SensitivityFindings sensitivity_findings(const std::string& file,
                                         const std::vector<std::string>& overrides);

/// A table of components and oscillating modes, human-readable.
std::string sensitivity_text(const SensitivityFindings& findings);

/// `trestle bondgraph sensitivity --json`: one object, ends with a newline.
std::string sensitivity_json(const SensitivityFindings& findings);

}  // namespace trestle::bond_graph_report
