#include <gtest/gtest.h>

#include "core/yaml/override.h"
#include "studies/rehearsal/fault_simulator.h"
#include "studies/rehearsal/rehearsal.h"
#include "studies/rehearsal/scenario_checker.h"
#include "tests/studies/rehearsal/rehearsed_test.h"

namespace trestle {
namespace {

rehearsal::RehearsalReport campaign(const std::vector<std::string>& changes,
                                    std::int64_t scenarios, std::uint64_t seed = 11) {
  const testing::RehearsedTest file;
  rehearsal::RehearsalSettings settings;
  settings.test = file.path();
  settings.overrides = yaml::parse_command_line_overrides(changes);
  settings.software = "test";
  settings.scenarios = scenarios;
  settings.steps = 24;
  settings.seed = seed;
  rehearsal::RehearsalReport report =
      rehearsal::rehearse(settings, [](std::int64_t) { return true; });
  for (const rehearsal::BrokenScenario& broken : report.broken)
    for (const std::string& violation : broken.violations)
      ADD_FAILURE() << "scenario " << broken.scenario << ": " << violation;
  EXPECT_EQ(report.scenarios, scenarios);
  EXPECT_LE(report.max_ticks_to_safe_action, rehearsal::RigMonitor::kMostTicks);
  return report;
}

TEST(FaultCampaign, KeepsAllPromisesInASimulatedTest) {
  const rehearsal::RehearsalReport report = campaign({}, 150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(rehearsal::Outcome::kCompleted)], 30);
}

TEST(FaultCampaign, KeepsAllPromisesInAPseudoDynamicTest) {
  const rehearsal::RehearsalReport report =
      campaign({"mode=pseudo-dynamic", "clock=virtual", "pseudo_dynamic.settle=3/512 s",
                "pseudo_dynamic.average=2/512 s"},
               150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(rehearsal::Outcome::kCompleted)], 30);
}

TEST(FaultCampaign, KeepsAllPromisesInAContinuousTest) {
  const rehearsal::RehearsalReport report =
      campaign({"mode=continuous", "clock=virtual", "continuous.scale=20"}, 150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(rehearsal::Outcome::kCompleted)], 30);
}

TEST(FaultCampaign, KeepsAllPromisesInARealTimeTest) {
  const rehearsal::RehearsalReport report =
      campaign({"mode=real-time", "clock=virtual"}, 150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(rehearsal::Outcome::kCompleted)], 30);
}

// A command of a step is a step of the bus: a kill between two of them is as any other.
TEST(FaultCampaign, KeepsAllPromisesWithCommandsAtEachIteration) {
  const std::string integrator =
      "numerical.integrator={kind: implicit, sites: each-iteration, iterations: 4}";
  for (const std::vector<std::string>& mode :
       {std::vector<std::string>{},
        {"mode=pseudo-dynamic", "clock=virtual", "pseudo_dynamic.settle=3/512 s",
         "pseudo_dynamic.average=2/512 s"}}) {
    std::vector<std::string> changes = mode;
    changes.push_back(integrator);
    const rehearsal::RehearsalReport report = campaign(changes, 75);
    EXPECT_GT(report.outcomes[static_cast<std::size_t>(rehearsal::Outcome::kCompleted)],
              15);
  }
}

TEST(FaultCampaign, KeepsAllPromisesByTheHostsOwnClocks) {
  campaign({"mode=real-time", "clock=virtual", "clock_source=system"}, 150);
  campaign(
      {"mode=continuous", "clock=virtual", "continuous.scale=20", "clock_source=system"},
      150);
}

// Found by campaigns, and repaired since.
struct Found {
  std::uint64_t seed = 0;
  std::int64_t scenario = 0;
  const char* clock_source = "bus";
};
class FoundOnce : public ::testing::TestWithParam<Found> {};

TEST_P(FoundOnce, KeepsItsPromises) {
  const testing::RehearsedTest file;
  const auto [seed, scenario, clock_source] = GetParam();
  rehearsal::RehearsalSettings settings;
  settings.test = file.path();
  settings.overrides = yaml::parse_command_line_overrides(
      {"mode=real-time", "clock=virtual", std::string("clock_source=") + clock_source});
  settings.software = "test";
  settings.steps = 24;
  settings.seed = seed;
  rehearsal::ScenarioRunner runner(settings);
  for (const std::string& violation : runner.play(scenario, false).verdict.violations)
    ADD_FAILURE() << violation;
}

// A step passed over in a gap, at the end and before a kill; a late Resume of real
// equipment; a step that came after a later one; a host's clock that jumped while the test
// was held.
INSTANTIATE_TEST_SUITE_P(InRealTime, FoundOnce,
                         ::testing::Values(Found{31, 96}, Found{31, 189}, Found{31, 1115},
                                           Found{31, 1736}, Found{1, 208}, Found{1, 985},
                                           Found{1, 1211}, Found{3, 1074, "system"},
                                           Found{3, 1651, "system"}),
                         [](const auto& found) {
                           return "Seed" + std::to_string(found.param.seed) + "Scenario" +
                                  std::to_string(found.param.scenario);
                         });

// A site whose disk lost steps that it had answered gets them again from an integrator that
// is alive.
TEST(PowerLoss, OfASiteTakesNothingThatTheIntegratorKnows) {
  const testing::RehearsedTest file;
  for (const std::vector<std::string>& mode :
       {std::vector<std::string>{}, {"mode=pseudo-dynamic", "clock=virtual"}}) {
    rehearsal::RehearsalSetup bench(file.path(), yaml::parse_command_line_overrides(mode),
                                    "test", 24);
    const rehearsal::ScenarioTrace undisturbed =
        rehearsal::FaultSimulator(bench, {.dice = rehearsal::ScenarioRandom(1, 0, 1)})
            .run();
    for (int part = 3; part < 20; ++part) {
      rehearsal::ScheduledFault fault;
      fault.sort = rehearsal::FaultType::kPowerLoss;
      fault.node = part % 2;
      fault.duration = std::chrono::milliseconds(7);
      fault.amount = 0.3 + 0.1 * (part % 7);  // of what was not synced
      fault.at = undisturbed.calls_of_steps * part / 20;
      SCOPED_TRACE(rehearsal::sentence(fault, bench.sites()) + " at call " +
                   std::to_string(fault.at));
      const rehearsal::ScenarioTrace trace =
          rehearsal::FaultSimulator(bench, {.faults = {fault},
                                            .dice = rehearsal::ScenarioRandom(1, 0, 1),
                                            .sync_delay = std::chrono::milliseconds(20)})
              .run();
      EXPECT_EQ(trace.result, evaluation::RunResult::kComplete) << trace.reason;
      for (const std::string& violation :
           rehearsal::ScenarioChecker(bench.integrator(), undisturbed)
               .judge(trace)
               .violations)
        ADD_FAILURE() << violation;
    }
  }
}

// In continuous mode the specimen has moved on: what the disk of a site lost is not driven
// again, and the test says so instead of asking for a step that the site must refuse.
TEST(PowerLoss, OfASiteInContinuousModeEndsWithTheStepsThatWereLost) {
  const testing::RehearsedTest file;
  rehearsal::RehearsalSetup bench(
      file.path(), yaml::parse_command_line_overrides({"mode=continuous", "clock=virtual"}),
      "test", 24);
  const rehearsal::ScenarioTrace undisturbed =
      rehearsal::FaultSimulator(bench, {.dice = rehearsal::ScenarioRandom(1, 0, 1)}).run();
  int ended = 0;
  for (int part = 3; part < 20; ++part) {
    rehearsal::ScheduledFault fault;
    fault.sort = rehearsal::FaultType::kPowerLoss;
    fault.node = part % 2;
    fault.duration = std::chrono::milliseconds(7);
    fault.amount = 0.1 * (part % 9);  // of what was not synced
    fault.at = undisturbed.calls_of_steps * part / 20;
    SCOPED_TRACE(rehearsal::sentence(fault, bench.sites()) + " at call " +
                 std::to_string(fault.at));
    const rehearsal::ScenarioTrace trace =
        rehearsal::FaultSimulator(bench, {.faults = {fault},
                                          .dice = rehearsal::ScenarioRandom(1, 0, 1),
                                          .sync_delay = std::chrono::milliseconds(200)})
            .run();
    // Where nothing is left of the record it is another site.
    if (trace.result == evaluation::RunResult::kComplete ||
        trace.reason.find("was restarted at step") != std::string::npos)
      continue;
    ++ended;
    for (const char* words : {"came back behind step ", "lost them with its power",
                              "no step is driven twice: the test cannot go on"})
      EXPECT_NE(trace.reason.find(words), std::string::npos)
          << words << " is not in: " << trace.reason;
  }
  EXPECT_GT(ended, 0);
}

}  // namespace
}  // namespace trestle
