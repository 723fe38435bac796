#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/config/override.h"
#include "virtual-lab/faults/rehearsal.h"

namespace trestle {
namespace {

// A storey in each of two laboratories, set going at once, so that rigs are far
// from home when something happens.
const char* const kTest = R"(test: two storeys
time_step: 1/128 s
duration: 1 s
seed: 3
excitation: {record: synthetic, synthetic: {duration: 0.5 s, peak: 4 m/s2}}
numerical:
  shear_building:
    storeys: {low: {mass: 1 t, stiffness: 80 kN/m}, high: {mass: 1 t, stiffness: 90 kN/m}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0}}
sites:
  west:
    interface: [low.x]
    control_tick: 1/512 s
    limits: {actuators: [{displacement: 200 mm, rate: 2 m/s, force: 50 kN}]}
    compensator: {kind: ats, expected_delay: 3 ms}
    rig:
      actuators: [{kind: second-order, frequency: 60 Hz, damping: 0.7}]
      specimen:  {kind: linear, stiffness: [[40000]]}
      noise: [{displacement: 1 um, force: 1 N}]
  east:
    like: west
    interface: [high.x]
)";

class TestFile {
 public:
  TestFile() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "trestle_campaign_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder");
    folder_ = pattern;
    std::ofstream(path()) << kTest;
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "test.yaml").string(); }

 private:
  std::filesystem::path folder_;
};

RehearsalReport campaign(const std::vector<std::string>& changes, std::int64_t scenarios) {
  const TestFile file;
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

}  // namespace
}  // namespace trestle
