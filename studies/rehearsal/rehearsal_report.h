#pragma once

#include <string>

#include "studies/rehearsal/rehearsal.h"

namespace trestle::rehearsal {

/// Formats the outcome of the scenarios, fault by fault, and the violated properties.
std::string rehearsal_text(const RehearsalReport& report,
                           const RehearsalSettings& settings);

/// One object, ends with a newline: scenarios, violations, worst_ticks_to_safe_action,
/// outcomes, and the scenarios that broke a promise.
std::string rehearsal_json(const RehearsalReport& report,
                           const RehearsalSettings& settings);

/// Formats one scenario from its first call to its verdict.
std::string scenario_text(const ScenarioRunner::ScenarioResult& played,
                          const RehearsalSetup& bench);
std::string scenario_json(const ScenarioRunner::ScenarioResult& played,
                          std::int64_t scenario, const RehearsalSetup& bench);

}  // namespace trestle::rehearsal
