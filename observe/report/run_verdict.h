#pragma once

#include <string>
#include <vector>

#include "observe/document/html_document.h"
#include "observe/report/limit_use.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// The verdict on a run: one sentence and four figures.
struct RunVerdict {
  document::OutcomeKind outcome = document::OutcomeKind::kAttention;
  std::string word;  ///< "COMPLETE", "HELD", "UNFINISHED", ...
  std::string sentence;
  std::vector<document::KeyFigure> figures;
};

/// @param evaluation  as evaluation_of() gave it
/// @param uses        of all sites
RunVerdict verdict_of(const RunData& run, const nlohmann::ordered_json& evaluation,
                      const std::vector<LimitUse>& uses);

/// "west 1: 71 % of the force limit (178 of 250 kN) at 7.72 s".
std::string describe_use(const LimitUse& use);

}  // namespace trestle::report
