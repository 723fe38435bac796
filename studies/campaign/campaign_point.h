#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

/// Values of the parameters of one run, as another program hands them over. Understood are
/// lines `name value` and `value name`, the first of them behind a line with their number
/// (SimCenter's params.in), the second behind `2 variables` (Dakota's standard format, of
/// which nothing but the variables is read).
///
/// @returns the values in the order of the names, or a sentence that begins with the file
Result<std::vector<double>> read_point(const std::string& file,
                                       const std::vector<std::string>& names);

/// What became of one point.
struct PointOutcome {
  bool usable = false;          ///< stable, and each result is a number
  std::string reason;           ///< why not; else empty
  std::vector<double> results;  ///< those that the study lists, in its order
};

/// Runs the nominal test and one with these values, as a campaign does: the numbers are the
/// same, and so is the rule by which a run counts as unstable.
/// @param test    the effective test
/// @param folder  for files of the run; exists
/// @throws std::runtime_error where the study lists no results, or one that is not there
PointOutcome run_point(StudyPlan plan, const std::vector<double>& values,
                       const std::string& test, const std::string& software,
                       const std::string& folder);

/// One number a line; of a point that is not usable `FAIL` (Dakota's failure capture).
/// @param unstable_value  in place of each result then; NaN: FAIL
std::string point_text(const PointOutcome& outcome, double unstable_value);

}  // namespace trestle::campaign
