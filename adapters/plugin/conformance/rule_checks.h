#pragma once

#include <string>
#include <utility>
#include <vector>

#include "adapters/plugin/conformance/conformance.h"
#include "adapters/plugin/conformance/rig_under_test.h"
#include "adapters/plugin/plugin_description.h"

namespace trestle::conformance {

/// The common part of the checks of the kit. Each check tests one or a few rules and adds
/// its findings.
struct RuleChecks {
  const trestle_adapter_v1& table;
  const ConformanceSettings& settings;
  Clock& clock;
  double tick;  ///< [s]
  bool real;
  std::vector<plugin::ReportedValue> drives;  ///< in force; empty: it reports none
  std::vector<RuleOutcome> found{};

  void add(std::string rule, std::string what, const std::string& broken,
           const std::string& detail = {}) {
    found.push_back({std::move(rule), std::move(what),
                     broken.empty() ? RuleResult::kPassed : RuleResult::kFailed,
                     broken.empty() ? detail : broken});
  }
  void leave(std::string rule, std::string what, std::string why) {
    found.push_back(
        {std::move(rule), std::move(what), RuleResult::kSkipped, std::move(why)});
  }
  void refuse(std::string rule, std::string what, std::string why) {
    found.push_back(
        {std::move(rule), std::move(what), RuleResult::kRefused, std::move(why)});
  }
  /// Real equipment is written to: it was asked for, and cannot move it.
  bool writes_to_real() const { return real && settings.write_to_real && !drives.empty(); }

  /// Actuators' drives at tick n: a sine of 5 Hz that begins smoothly. For real equipment:
  /// none, or the one in force.
  std::vector<double> drive(const RigUnderTest& rig, int n) const;
  std::int64_t time_of(int n) const;
  /// Waits until tick n of a run that began then is due; not for a simulated rig.
  void keep_time(TimePoint begun, int n) const;
};

// Checks the description of the plug-in, and how it opens and closes: conformance_border.cc
void check_description(RuleChecks& checks);
void check_refusal(RuleChecks& checks);
void check_reopening(RuleChecks& checks);
void check_second_rig(RuleChecks& checks);
// Checks runs: conformance_runs.cc
void check_ticks(RuleChecks& checks);
void check_determinism(RuleChecks& checks);
void check_snapshot(RuleChecks& checks);
// Checks motion and force: conformance_motion.cc
void check_motion(RuleChecks& checks);
// Hold, stop, diagnose: conformance_hold.cc
void check_hold(RuleChecks& checks);
void check_diagnosis(RuleChecks& checks);

}  // namespace trestle::conformance
