// What the bridge does under a vehicle on a table, against the two of them uncut, and the
// tutorial's own bridge.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "core/yaml/override.h"
#include "studies/campaign/in_memory_run.h"

namespace trestle {
namespace {

using Overrides = std::vector<std::string>;

const std::filesystem::path kExamples =
    std::filesystem::path(TRESTLE_SOURCE_DIR) / "examples";

campaign::InMemoryRun run(const std::string& file, const Overrides& overrides) {
  const auto setup = composition::load_hybrid_test(
      (kExamples / file).string(), yaml::parse_command_line_overrides(overrides), "test");
  return campaign::run_in_memory(*setup, {});
}

/// The wheel's motion on the bridge against the undivided one [%], without noise.
double disagreement(const std::string& file, const std::string& compensator) {
  const campaign::InMemoryRun found =
      run("vehicle_bridge/" + file,
          {"sites.table.compensator.kind=" + compensator, "criteria.responses=[wheel.y]",
           "sites.table.rig.noise[0].displacement=0 m",
           "sites.table.rig.specimen.accelerometer_noise=0 m/s2"});
  EXPECT_TRUE(found.stable);
  return found.report.criteria.benchmark[7].at(0);  // J8
}

// Bars 2e-4 and 1.5e-3 of the motion.
TEST(BridgeAgreement, WheelGoesAsOnTheUndividedBridge) {
  for (const std::string file : {"case1.yaml", "case2.yaml", "case3.yaml"}) {
    EXPECT_LE(disagreement(file, "ats_lqg"), 0.02) << file;
    EXPECT_LE(disagreement(file, "none"), 0.15) << file;
  }
}

// What is left is the one tick by which a read follows its command: 0.98 ms of a motion of
// up to 5 Hz.
TEST(BridgeAgreement, OwnBridgeWithTwoAxlesOnTwoTablesRuns) {
  const campaign::InMemoryRun found = run("own_bridge/test.yaml", {});
  EXPECT_TRUE(found.stable);
  const evaluation::Criteria& criteria = found.report.criteria;
  ASSERT_EQ(criteria.rmse.size(), 2U);
  for (const std::size_t table : {0U, 1U}) {
    EXPECT_LT(criteria.rmse[table], 0.02);
    EXPECT_LT(criteria.delay[table], 1.1e-3);
    EXPECT_LT(criteria.force_error[table], 0.03);
  }
}

TEST(BridgeAgreement, UncompensatedTheForcesOfTheTutorialAreWrongByAQuarter) {
  const campaign::InMemoryRun found =
      run("own_bridge/test.yaml", {"sites.table.compensator=none"});
  for (const std::size_t table : {0U, 1U})
    EXPECT_NEAR(found.report.criteria.force_error[table], 0.28, 0.02);
}

}  // namespace
}  // namespace trestle
