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
  campaign::Results results;  ///< of several seeds: the mean of each
  /// Of several seeds: the results of each, in the order of the seeds; of one: empty.
  std::vector<campaign::Results> of_seeds = {};
  int unstable_seeds = 0;  ///< how many of them were not stable
  bool recorded = false;   ///< a record that was read: `file` is its folder, no `tick`
  /// Of a record: what differs in the calibrations of its channels from the first record.
  std::vector<std::string> calibration_changes = {};
};

/// Runs each test in this process without records, one after the other so that their times
/// are comparable.
/// @param overrides  of each of them
/// @param may_continue      asked now and then: false ends it
/// @param seeds  how often each test runs: with its own seed, and with those after it; so
/// are
///               the published sequences of its noise. A test of several is stable if all
///               of them are; `reason` and `ended_at` are those of the first that is not
/// @returns all tests, or those before `may_continue` ended it
/// @throws ConfigError before anything runs, where one of them does not stand
std::vector<ComparisonEntry> run_comparison(const std::vector<std::string>& files,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software,
                                            const std::function<bool()>& may_continue,
                                            int seeds = 1);

/// Reads the records of runs, in place of running tests. Nothing is written to them. The
/// results are those of summary.json; a run without one has none.
/// @throws std::runtime_error with one sentence where a folder holds no record of a run
std::vector<ComparisonEntry> read_comparison(const std::vector<std::string>& folders);

}  // namespace trestle::comparison
