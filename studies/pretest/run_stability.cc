#include "studies/pretest/run_stability.h"

#include <algorithm>
#include <optional>

#include "core/base/number_text.h"
#include "core/types/record_names.h"
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

/// The smallest further delay that is too much for actuator `i`; nothing: none was found.
std::optional<double> smallest_margin(const StabilityReport& report, std::size_t i) {
  std::optional<double> smallest;
  const auto take = [&](const DelayMargin& margin) {
    if (!margin.at_least && (!smallest || margin.delay < *smallest))
      smallest = margin.delay;
  };
  for (const StabilityCase& one : report.cases) {
    take(one.compensated.margin);
    if (i < one.compensated.per_actuator.size()) take(one.compensated.per_actuator[i]);
  }
  return smallest;
}

}  // namespace

RecordMetadata delay_limits(const StabilityReport& report) {
  RecordMetadata limits;
  if (!report.known || !report.stable()) return limits;
  for (std::size_t i = 0; i < report.actuators.size(); ++i) {
    const LateActuator& actuator = report.actuators[i];
    if (const std::optional<double> margin = smallest_margin(report, i))
      limits.emplace_back(
          meta_key::kDelayLimitOf + actuator.site + "." + std::to_string(actuator.number),
          format_number(actuator.left + *margin));
  }
  return limits;
}

StabilityReport assess_run(composition::HybridTestSetup& setup) {
  if (!worth_assessing(setup)) return {};
  StabilityReport report = assess_stability(setup.test);
  if (report.known && !report.stable())
    setup.integrator.unstable =
        "the closed loop is computed to be unstable: " + in_words(report).front();
  setup.integrator.delay_limits = delay_limits(report);
  setup.integrator.allow_unstable = setup.test.arming().allow_unstable();
  return report;
}

}  // namespace trestle::pretest
