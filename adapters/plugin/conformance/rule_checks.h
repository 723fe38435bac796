#pragma once

#include <string>
#include <utility>
#include <vector>

#include "adapters/plugin/conformance/conformance.h"
#include "adapters/plugin/conformance/rig_under_test.h"

namespace trestle {

/// What the checks of the kit share. Each looks at one or a few rules and adds what it
/// found.
struct RuleChecks {
  const trestle_adapter_v1& table;
  const ConformanceSettings& settings;
  Clock& clock;
  double tick;  ///< [s]
  bool real;
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

  /// Actuators' drives at tick n: a sine of 5 Hz that begins smoothly. Of real equipment:
  /// none, or where it stood.
  std::vector<double> drive(const RigUnderTest& rig, int n) const;
  std::int64_t time_of(int n) const;
  /// Waits until tick n of a run that began then is due; not for a simulated rig.
  void keep_time(TimePoint begun, int n) const;
};

// What it says of itself, how it opens and closes: conformance_border.cc
void check_description(RuleChecks& checks);
void check_refusal(RuleChecks& checks);
void check_reopening(RuleChecks& checks);
void check_second_rig(RuleChecks& checks);
// What it does in runs: conformance_runs.cc
void check_ticks(RuleChecks& checks);
void check_determinism(RuleChecks& checks);
void check_snapshot(RuleChecks& checks);
// Where it goes, and with what force: conformance_motion.cc
void check_motion(RuleChecks& checks);
// Hold, stop, diagnose: conformance_hold.cc
void check_hold(RuleChecks& checks);
void check_diagnosis(RuleChecks& checks);

}  // namespace trestle
