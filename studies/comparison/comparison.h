#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/campaign/run_results.h"

namespace trestle {

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
  Results results;
};

/// Runs each test in this process, one after the other so that their times compare, without
/// records.
/// @param overrides  of each of them
/// @param go_on      asked now and then: false ends it
/// @returns all tests, or those before `go_on` ended it
/// @throws ConfigError before anything runs, where one of them does not stand
std::vector<ComparisonEntry> run_comparison(const std::vector<std::string>& files,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software,
                                            const std::function<bool()>& go_on);

}  // namespace trestle
