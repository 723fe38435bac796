#pragma once

#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/test_finding.h"

namespace trestle::pretest {

/// Collects what a person should look at before a test: doubtful numbers, and hosts that
/// this machine does not know. May block for seconds while the resolver is asked.
/// @returns one sentence each, with its place
std::vector<std::string> questions_about(const composition::HybridTestSetup& setup);

/// Removes findings that ask for the unit of a number which one of `questions` asks for.
void remove_repeats(std::vector<TestFinding>& findings,
                    const std::vector<std::string>& questions);

/// Collects the questions at the start of a run: those of questions_about(), and of
/// structure, excitation and limits if they are quickly computed.
/// @returns one sentence each
std::vector<std::string> questions_at_start(const composition::HybridTestSetup& setup);

/// Collects the calibrations of this process's sites that have expired.
/// @returns one sentence each
std::vector<std::string> expired_at_start(const composition::HybridTestSetup& setup);

}  // namespace trestle::pretest
