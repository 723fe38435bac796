#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/yaml/override.h"
#include "studies/rehearsal/rehearsal_setup.h"
#include "studies/rehearsal/scenario.h"
#include "studies/rehearsal/scenario_checker.h"

namespace trestle::rehearsal {

struct RehearsalSettings {
  std::string test;  ///< TEST.yaml
  std::vector<yaml::Override> overrides = {};
  std::string software = {};
  std::int64_t steps = 40;  ///< of each scenario, at most
  std::int64_t scenarios = 1000;
  std::uint64_t seed = 1;
  int jobs = 1;  ///< threads, >= 1
};

/// A scenario that broke a promise.
struct BrokenScenario {
  std::int64_t scenario = 0;
  std::vector<std::string> violations;
};

struct RehearsalReport {
  std::int64_t scenarios = 0;
  std::int64_t steps = 0;            ///< of each
  std::int64_t whole_steps = 0;      ///< of the test
  int max_ticks_to_safe_action = 0;  ///< from an event to the safe action
  std::int64_t worst_scenario = 0;
  std::array<std::int64_t, kOutcomes> outcomes{};
  /// Scenarios in which a fault of this sort took part.
  std::array<std::array<std::int64_t, kOutcomes>, kFaultSorts> by_fault{};
  std::vector<BrokenScenario> broken;  ///< in order
};

/// Scenarios of one test, on one thread.
class ScenarioRunner {
 public:
  /// @throws ConfigError as RehearsalSetup; std::runtime_error if the test
  /// does
  ///         not even come to its end undisturbed
  explicit ScenarioRunner(const RehearsalSettings& settings);

  struct ScenarioResult {
    ScenarioTrace trace;
    ScenarioVerdict verdict;
  };
  /// A function of settings and number.
  ScenarioResult play(std::int64_t scenario, bool story);

  const RehearsalSetup& bench() const noexcept { return bench_; }

 private:
  struct Reference {
    ScenarioTrace trace;
    std::vector<std::vector<MotionLimits>> believed;  ///< with correct transducers
    std::vector<std::vector<MotionLimits>> agreed;    ///< by the limits alone
  };

  Reference reference(bool real_rigs);
  std::vector<std::vector<MotionLimits>> agreed_motion() const;

  RehearsalSettings settings_;
  RehearsalSetup bench_;
  std::vector<Reference> references_;  // rigs of the process; rigs that outlive it
};

/// Plays them all. The report depends on neither the number of threads nor their order.
/// @param between  called now and then by the thread that calls, with those that are done;
///                 false: end now
RehearsalReport rehearse(const RehearsalSettings& settings,
                         const std::function<bool(std::int64_t done)>& between);

}  // namespace trestle::rehearsal
