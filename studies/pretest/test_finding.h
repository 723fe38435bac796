#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/demand_factory.h"
#include "studies/pretest/stability_report.h"
#include "studies/pretest/test_outlook.h"

namespace trestle::pretest {

/// Something that a look at a test found before it is run.
struct TestFinding {
  enum class Weight : std::uint8_t {
    kStops,     ///< the test would not come to its end, or must not be begun
    kQuestion,  ///< it may be meant so; a person should look at it
  };
  Weight weight = Weight::kQuestion;
  std::string kind;    ///< for programs: "above-limit", "unstable", "not-reached", ...
  std::string place;   ///< `file:line:col`; empty: nowhere in particular
  std::string what;    ///< a sentence, with value and limit
  std::string change;  ///< a sentence: what to do
};

/// Looks at a test that could be built, as a gatekeeper: everything that is found, in the
/// order of the screen. Moves nothing and calls no other node; reads the node's key file.
/// @param setup    not run yet
/// @param demands  of estimate_demand(), or empty if they are not known
std::vector<TestFinding> findings_of(const composition::HybridTestSetup& setup,
                                     const std::vector<SiteDemand>& demands,
                                     const StabilityReport& stability,
                                     const TestOutlook& outlook);

/// The questions of findings_of() that no rig and no loop has to be looked at for: those of
/// structure, excitation and limits.
/// @param demands  of estimate_demand(), or empty if they are not known
std::vector<TestFinding> questions_before_run(const composition::HybridTestSetup& setup,
                                              const std::vector<SiteDemand>& demands,
                                              const TestOutlook& outlook);

/// `file:line:col: what change`
std::string in_words(const TestFinding& finding);

/// Returns true if one of them requires a change before the test may begin.
bool any_stops(const std::vector<TestFinding>& findings);

}  // namespace trestle::pretest
