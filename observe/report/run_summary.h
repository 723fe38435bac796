#pragma once

#include <string>

#include "core/evaluation/run_report.h"

namespace trestle::report {

/// The facts in a run's summary beside the integrator's report.
struct RunMetadata {
  std::string test;
  std::string mode;
  std::string folder;
  std::string session;
  std::string software;
  double time_step = 0.0;  ///< [s]
  double wall = 0.0;       ///< from the first step to the last [s]
};

/// summary.json; one object, ends with a newline.
std::string summary_json(const evaluation::RunReport& report, const RunMetadata& facts);

/// Formats a summary of one screen.
std::string format_summary(const evaluation::RunReport& report, const RunMetadata& facts);

}  // namespace trestle::report
