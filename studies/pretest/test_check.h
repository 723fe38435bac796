#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/demand_factory.h"
#include "studies/pretest/stability_report.h"
#include "studies/pretest/step_cost.h"
#include "studies/pretest/test_finding.h"
#include "studies/pretest/test_outlook.h"

namespace trestle::pretest {

/// All that a look at a test finds before it is run.
struct TestCheck {
  std::unique_ptr<composition::HybridTestSetup> setup;
  std::vector<std::string> connections;  ///< how each site is reached
  std::vector<SiteDemand> demands;       ///< empty: not computed
  StabilityReport stability;
  TestOutlook outlook;
  StepCost step_cost;  ///< of a real-time test
  std::vector<TestFinding> findings;
  std::vector<std::string> questions;       ///< doubtful numbers, unknown hosts
  std::vector<std::string> specimen_notes;  ///< masses of the specimens
  std::vector<std::string> damping_notes;   ///< damping of members that yield
};

/// Reads TEST.yaml, builds all its parts and looks at them. Moves nothing and calls no
/// other node.
/// @param overrides  path=value
/// @throws ConfigError with everything that is wrong
TestCheck check_before_run(const std::string& file,
                           const std::vector<std::string>& overrides,
                           const std::string& software);

}  // namespace trestle::pretest
