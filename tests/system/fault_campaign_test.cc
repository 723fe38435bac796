#include <gtest/gtest.h>

#include "core/config/override.h"
#include "tests/virtual-lab/faults/rehearsed_test.h"
#include "virtual-lab/faults/rehearsal.h"

namespace trestle {
namespace {

RehearsalReport campaign(const std::vector<std::string>& changes, std::int64_t scenarios) {
  const testing::RehearsedTest file;
  RehearsalSettings settings;
  settings.test = file.path();
  settings.overrides = command_line_overrides(changes);
  settings.software = "test";
  settings.scenarios = scenarios;
  settings.steps = 24;
  settings.seed = 11;
  RehearsalReport report = rehearse(settings, [](std::int64_t) { return true; });
  for (const BrokenScenario& broken : report.broken)
    for (const std::string& violation : broken.violations)
      ADD_FAILURE() << "scenario " << broken.scenario << ": " << violation;
  EXPECT_EQ(report.scenarios, scenarios);
  EXPECT_LE(report.worst_ticks, RigWatch::kMostTicks);
  return report;
}

TEST(FaultCampaign, KeepsAllPromisesInASimulatedTest) {
  const RehearsalReport report = campaign({}, 150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(Outcome::kCompleted)], 30);
}

TEST(FaultCampaign, KeepsAllPromisesInAPseudoDynamicTest) {
  const RehearsalReport report =
      campaign({"mode=pseudo-dynamic", "clock=virtual", "pseudo_dynamic.settle=3/512 s",
                "pseudo_dynamic.average=2/512 s"},
               150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(Outcome::kCompleted)], 30);
}

TEST(FaultCampaign, KeepsAllPromisesInAContinuousTest) {
  const RehearsalReport report =
      campaign({"mode=continuous", "clock=virtual", "continuous.scale=20"}, 150);
  EXPECT_GT(report.outcomes[static_cast<std::size_t>(Outcome::kCompleted)], 30);
}

}  // namespace
}  // namespace trestle
