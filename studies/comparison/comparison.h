#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/campaign/run_results.h"

namespace trestle::comparison {

/// One of several tests that are compared, after its run.
struct ComparisonEntry {
  std::string name;  ///< of the test
  std::string file;
  bool complete = false;  ///< came to its end
  bool stable = false;    ///< and its criteria do not say otherwise
  bool unstable = false;  ///< its criteria say so, or its loop is computed to be unstable
  std::string reason;     ///< why not stable
  double ended_at = 0.0;  ///< [s] of the test
  double tick = 0.0;      ///< processor time per control tick, all of the test [s]
  campaign::Results results;
  bool recorded = false;  ///< a record that was read: `file` is its folder, no `tick`
  /// Of a record: what differs in the calibrations of its channels from the first record.
  std::vector<std::string> calibration_changes = {};
};

/// Runs each test in this process without records, one after the other so that their times
/// are comparable.
/// @param overrides  of each of them
/// @param may_continue      asked now and then: false ends it
/// @returns all tests, or those before `may_continue` ended it
/// @throws ConfigError before anything runs, where one of them does not stand
std::vector<ComparisonEntry> run_comparison(const std::vector<std::string>& files,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software,
                                            const std::function<bool()>& may_continue);

/// Reads the records of runs, in place of running tests. Nothing is written to them. The
/// results are those of summary.json; a run without one has none.
/// @throws std::runtime_error with one sentence where a folder holds no record of a run
std::vector<ComparisonEntry> read_comparison(const std::vector<std::string>& folders);

}  // namespace trestle::comparison
