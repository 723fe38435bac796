#pragma once

#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"

namespace trestle {

/// Collects what a person should look at before a test: doubtful numbers, and hosts that
/// this machine does not know. May block for seconds while the resolver is asked.
/// @returns one sentence each, with its place
std::vector<std::string> questions_about(const HybridTestSetup& setup);

/// Asks on standard error what `trestle check` asks, at the start of a run; stops nothing.
void ask_before_run(const HybridTestSetup& setup);

}  // namespace trestle
