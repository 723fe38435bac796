#pragma once

#include <string>
#include <vector>

namespace trestle::campaign {

/// One number that a run gave, by its path in summary.json: `criteria.J2[0]`,
/// `sites.west.tracking[0].delay_s`, `peaks.roof_w.x.disp_m`.
struct NamedResult {
  std::string name;
  double value = 0.0;  ///< SI, or as its name says; NaN: the run could not tell
};

using Results = std::vector<NamedResult>;

/// All numbers of a summary, in its order; truth values are 1 and 0. Entries with a name
/// are called by it. Left out is what only the test or the day says: the plan, and what a
/// clock on the wall saw, so that equal runs give equal results.
/// @param summary  as summary_json() writes it
Results results_of(const std::string& summary);

/// The value of this name, or null.
const double* find_result(const Results& results, const std::string& name);

/// `*` matches any text; a pattern also matches longer names that begin with it:
/// `criteria.J2` is `criteria.J2[0]` and `criteria.J2[1]`.
bool matches(const std::string& name, const std::string& pattern);

/// The names that any of the patterns means, in their own order. Without patterns what
/// people look at first: the criteria, else how the actuators tracked.
std::vector<std::string> select_results(const std::vector<std::string>& names,
                                        const std::vector<std::string>& patterns);

}  // namespace trestle::campaign
