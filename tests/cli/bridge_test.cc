// docs/tutorials/own-bridge.md and docs/explanation/vehicle-bridge.md, typed.
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

class CliBridge : public ProgramTestCase {
 protected:
  static std::string file(const std::string& name) {
    return std::string(TRESTLE_SOURCE_DIR "/examples/") + name;
  }

  /// What `identify` finds of the lorry from what the bridge did in a run.
  nlohmann::json found_from(const std::string& run) const {
    const Ended exported = trestle({"export", run, "--csv", run + ".csv"});
    EXPECT_EQ(exported.code, 0) << exported.err;
    const Ended ended = trestle({"identify", file("own_bridge/identify.yaml"), "--json",
                                 "--set", "passes[0].record=" + path(run + ".csv")});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return nlohmann::json::parse(ended.out).at("parameters");
  }
};

double estimate(const nlohmann::json& parameters, const char* name) {
  EXPECT_TRUE(parameters.at(name).at("identifiable").get<bool>()) << name;
  return parameters.at(name).at("estimate").get<double>();
}

TEST_F(CliBridge, LorryOfTheTutorialIsFoundFromItsBridge) {
  const Ended uncut = trestle(
      {"run", file("own_bridge/test.yaml"), "--set", "undivided=true", "--out", "uncut"});
  ASSERT_EQ(uncut.code, 0) << uncut.err;
  const nlohmann::json parameters = found_from("uncut");
  const std::pair<const char*, double> lorry[] = {
      {"body_mass", 12e3},    {"pitch_inertia", 30e3}, {"front_spring", 350e3},
      {"rear_spring", 500e3}, {"front_damper", 12e3},  {"rear_damper", 18e3}};
  // Two programs' time steps: both below 1e-4 of the response.
  for (const auto& [name, value] : lorry)
    EXPECT_NEAR(estimate(parameters, name) / value, 1.0, 1e-3) << name;
}

TEST_F(CliBridge, LatenessOfTheTablesTakesFromTheDampers) {
  const Ended run = trestle({"run", file("own_bridge/test.yaml"), "--out", "run"});
  ASSERT_EQ(run.code, 0) << run.err;
  const double late = nlohmann::json::parse(read("run/summary.json"))
                          .at("criteria")
                          .at("delay_s")
                          .at(0)
                          .get<double>();
  const nlohmann::json parameters = found_from("run");
  EXPECT_NEAR(estimate(parameters, "body_mass") / 12e3, 1.0, 1e-3);
  // A spring that answers late: - k tau, of first order and for small tau.
  EXPECT_NEAR(estimate(parameters, "front_damper"), 12e3 - 350e3 * late, 100.0);
  EXPECT_NEAR(estimate(parameters, "rear_damper"), 18e3 - 500e3 * late, 150.0);
}

TEST_F(CliBridge, TableInAProcessOfItsOwnGivesTheSameRecord) {
  const std::string socket = "ipc://" + path("table.ipc");
  Program table({"site", file("vehicle_bridge/site_table.yaml"), "--once", "--set",
                 "listen=" + socket, "--out", "table-records"},
                folder());
  ASSERT_TRUE(table.says("listens at"));
  const Ended far = trestle({"run", file("vehicle_bridge/distributed.yaml"), "--set",
                             "sites.table.address=" + socket, "--out", "far"});
  ASSERT_EQ(far.code, 0) << far.err;
  EXPECT_EQ(table.exit_code(), 0) << table.err();
  const Ended here = trestle({"run", file("vehicle_bridge/case2.yaml"), "--out", "here"});
  ASSERT_EQ(here.code, 0) << here.err;
  EXPECT_EQ(exported("far"), exported("here"));
}

}  // namespace
}  // namespace trestle::cli
