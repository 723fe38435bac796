#include "studies/pretest/run_stability.h"

#include <algorithm>

#include "studies/pretest/stability_factory.h"
#include "studies/pretest/stability_words.h"

namespace trestle::pretest {
namespace {

bool worth_assessing(const composition::HybridTestSetup& setup) {
  const bool remote =
      std::any_of(setup.remote.begin(), setup.remote.end(), [](bool far) { return far; });
  const ExecutionMode mode = setup.integrator.mode;
  return !setup.test.undivided() && mode != ExecutionMode::kPseudoDynamic &&
         (remote || mode != ExecutionMode::kSimulated);
}

}  // namespace

StabilityReport assess_run(composition::HybridTestSetup& setup) {
  if (!worth_assessing(setup)) return {};
  StabilityReport report = assess_stability(setup.test);
  if (report.known && !report.stable())
    setup.integrator.unstable =
        "the closed loop is computed to be unstable: " + in_words(report).front();
  setup.integrator.allow_unstable = setup.test.arming().allow_unstable();
  return report;
}

}  // namespace trestle::pretest
