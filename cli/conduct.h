#pragma once

#include <string>

#include "virtual-lab/test_setup.h"

namespace trestle {

/// Runs a test that is set up, or goes on with it where its settings say so, and tells of
/// it: progress, summary, `summary.json` in the folder.
/// @param as    name that the person gave; may be empty
/// @param json  print the summary as JSON, and nothing else
/// @returns the exit code
int conduct_and_report(TestSetup& setup, const std::string& folder, const std::string& as,
                       bool json);

}  // namespace trestle
