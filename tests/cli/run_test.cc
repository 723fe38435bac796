#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using CliRun = ProgramTestCase;

/// Work that went into west's column and did not come back [J], by an export of the steps.
double dissipated(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const auto cells = [&line] {
    std::istringstream row(line);
    std::vector<std::string> found;
    for (std::string cell; std::getline(row, cell, ',');) found.push_back(cell);
    return found;
  };
  const std::vector<std::string> names = cells();
  std::vector<std::size_t> at;
  for (const char* name : {"west.floor_w.x.measured_m", "west.floor_w.x.force_N",
                           "west.floor_w.rz.measured_rad", "west.floor_w.rz.force_Nm"})
    at.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
  std::vector<double> last;
  double work = 0.0;
  while (std::getline(lines, line)) {
    const std::vector<std::string> row = cells();
    std::vector<double> now;
    for (const std::size_t column : at) now.push_back(std::stod(row.at(column)));
    for (std::size_t i = 0; i < 4 && !last.empty(); i += 2)
      work += 0.5 * (now[i + 1] + last[i + 1]) * (now[i] - last[i]);
    last = now;
  }
  return work;
}

// The first loop that a newcomer sees is a loop: some 48 J, where 1 J is noise and what is
// still stored at the end.
TEST_F(CliRun, YieldsTheColumnsOfTheFirstExample) {
  const std::vector<std::string> run{"run", example("test.yaml"), "--set", "duration=9",
                                     "--out"};
  ASSERT_EQ(trestle(run + std::vector<std::string>{"yields"}).code, 0);
  const std::vector<std::string> elastic{
      "elastic", "--set", "sites.west.rig.specimen.hysteresis={kind: elastic}"};
  ASSERT_EQ(trestle(run + elastic).code, 0);
  EXPECT_GT(dissipated(exported("yields")), 20.0);
  EXPECT_LT(dissipated(exported("elastic")), 5.0);
}

TEST_F(CliRun, RunsTheShippedExampleToItsEnd) {
  const Ended ended = trestle({"run", example("test.yaml"), "--out", "run"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("COMPLETE"), std::string::npos) << ended.out;
  for (const char* file : {"journal.db", "west.db", "east.db", "effective.yaml"})
    EXPECT_TRUE(exists(std::string("run/") + file)) << file;
  const auto summary = nlohmann::json::parse(read("run/summary.json"));
  EXPECT_EQ(summary.at("test"), "two-site frame");
  EXPECT_EQ(summary.at("mode"), "simulated");
  EXPECT_EQ(summary.at("result"), "complete");
  EXPECT_EQ(summary.at("steps_planned"), summary.at("steps_done"));
  EXPECT_EQ(summary.at("time_step_s"), 1.0 / 1024.0);
  EXPECT_GT(summary.at("wall_s").get<double>(), 0.0);
  EXPECT_FALSE(summary.at("peaks").empty());
  ASSERT_EQ(summary.at("sites").size(), 2u);
  const auto& criteria = summary.at("criteria");
  EXPECT_EQ(criteria.at("stable"), true);
  EXPECT_EQ(criteria.at("J1").size(), 4u);
  EXPECT_EQ(criteria.at("J5").size(), 4u);
  EXPECT_FALSE(criteria.contains("J7"));
  EXPECT_NE(ended.out.find("tracking error, rms"), std::string::npos) << ended.out;
  for (const auto& site : summary.at("sites")) {
    EXPECT_EQ(site.at("steps"), summary.at("steps_done"));
    ASSERT_EQ(site.at("tracking").size(), 2u);
    for (const auto& actuator : site.at("tracking")) {
      EXPECT_TRUE(actuator.at("actuator").is_string());
      EXPECT_LT(std::abs(actuator.at("delay_s").get<double>()), 0.003);
      EXPECT_NEAR(actuator.at("amplitude").get<double>(), 1.0, 0.05);
      EXPECT_LT(actuator.at("nrmse").get<double>(), 0.1);
    }
  }
}

// A limit that is too tight is no instability, and a part of a run is not the run.
TEST_F(CliRun, SaysUntilWhichStepTheCriteriaOfAStoppedRunGo) {
  const Ended ended = trestle(
      {"run", example("test.yaml"), "--out", "run", "--set",
       "sites.west.limits.actuators[0]={displacement: 2 mm, rate: 1 m/s, force: 1 MN}"});
  ASSERT_EQ(ended.code, 3) << ended.out << ended.err;
  const auto summary = nlohmann::json::parse(read("run/summary.json"));
  const auto& criteria = summary.at("criteria");
  EXPECT_EQ(criteria.at("stable"), true);
  EXPECT_EQ(criteria.at("until_step").get<int>(), summary.at("steps_done").get<int>() - 1);
  EXPECT_EQ(ended.out.find("UNSTABLE"), std::string::npos) << ended.out;
  const std::string until =
      "  until step " + std::to_string(criteria.at("until_step").get<int>()) + "\n";
  for (const char* line : {"J2         tracking error, rms", "J5         measured"}) {
    const std::size_t at = ended.out.find(line);
    ASSERT_NE(at, std::string::npos) << ended.out;
    EXPECT_EQ(ended.out.substr(ended.out.find('\n', at) + 1 - until.size(), until.size()),
              until);
  }
}

TEST_F(CliRun, CallsARunUnstableWhoseLoopIs) {
  const Ended ended =
      trestle({"run", example("test.yaml"), "--out", "run", "--set",
               "sites.west.compensator=none", "--set", "sites.east.compensator=none",
               "--set", "sites.west.rig.specimen.hysteresis=elastic", "--set",
               "sites.east.rig.specimen.hysteresis=elastic"});
  ASSERT_EQ(ended.code, 3) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("UNSTABLE"), std::string::npos) << ended.out;
}

TEST_F(CliRun, PrintsTheSummaryAsJsonAndNothingElse) {
  const Ended ended = trestle(
      std::vector<std::string>{"run", example("test.yaml"), "--out", "run", "--json"} +
      kShort);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, read("run/summary.json"));
}

TEST_F(CliRun, RunsItsEffectiveConfigurationToTheSameBits) {
  const std::vector<std::string> first{"run", example("test.yaml"), "--out", "first"};
  ASSERT_EQ(trestle(first + kShort).code, 0);
  const Ended again = trestle({"run", "first/effective.yaml", "--out", "again"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(exported("first"), exported("again"));
  EXPECT_EQ(exported("first", true), exported("again", true));
}

TEST_F(CliRun, DrawsOtherBitsFromAnotherSeed) {
  const std::vector<std::string> run{"run", example("test.yaml")};
  ASSERT_EQ(trestle(run + kShort + std::vector<std::string>{"--out", "a"}).code, 0);
  ASSERT_EQ(trestle(run + kShort + std::vector<std::string>{"--out", "b"}).code, 0);
  ASSERT_EQ(
      trestle(run + kShort + std::vector<std::string>{"--out", "c", "--set", "seed=8"})
          .code,
      0);
  EXPECT_EQ(exported("a"), exported("b"));
  EXPECT_NE(exported("a"), exported("c"));
}

/// A specimen with mass on an actuator without dynamics, in the midst of the motion: the
/// stop at the end, or at a hold, is no blow that trips the limit of the force.
TEST_F(CliRun, StopsAnIdealActuatorWithoutABlowUponTheSpecimensMass) {
  write("sdof.yaml", kHeavySpecimen);
  for (const char* mode : {"simulated", "real-time", "continuous"}) {
    const std::string wanted = std::string("mode=") + mode;
    const Ended ended = trestle({"run", "sdof.yaml", "--out", mode, "--set", wanted,
                                 "--set", "clock=virtual", "--set", "duration=4.1 s"});
    EXPECT_EQ(ended.code, 0) << mode << ended.out << ended.err;
    EXPECT_EQ((ended.out + ended.err).find("FAULT"), std::string::npos)
        << mode << ended.out << ended.err;
  }
}

/// The program alone is asked: check, run, and run again from its own effective test.
class OtherExample : public ProgramTestCase,
                     public testing::WithParamInterface<const char*> {};

TEST_P(OtherExample, IsCheckedRunAndRepeatedToTheSameNumbers) {
  const std::string file =
      std::string(TRESTLE_SOURCE_DIR) + "/examples/" + GetParam() + "/test.yaml";
  const Ended check = trestle({"check", file});
  EXPECT_EQ(check.code, 0) << check.err;
  const Ended ended = trestle({"run", file, "--out", "first"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  const Ended again = trestle({"run", "first/effective.yaml", "--out", "second"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(exported("first"), exported("second"));
}

INSTANTIATE_TEST_SUITE_P(Of, OtherExample,
                         testing::Values("shear_building", "imported_matrices",
                                         "own_bridge", "steel_frame_hinges", "frame_3d",
                                         "bridge_pier", "twin_updating",
                                         "command_per_iteration", "travelling_wave"),
                         [](const auto& example) { return std::string(example.param); });

TEST_F(CliRun, TakesOverridesOfEveryShape) {
  const std::vector<std::string> run{"run", example("test.yaml"), "--out", "run"};
  const Ended ended =
      trestle(run + kShort +
              std::vector<std::string>{
                  "--set", "sites.west.limits.actuators[0].rate=0.5 m/s", "--set",
                  "sites.east.compensator={kind: ats, expected_delay: 11 ms, memory: 2 s}",
                  "--set", "test=renamed", "--set", "excitation.scale=0.1"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string effective = read("run/effective.yaml");
  EXPECT_NE(effective.find("rate: 0.5,"), std::string::npos) << effective;
  EXPECT_NE(effective.find("memory: 2"), std::string::npos) << effective;
  EXPECT_EQ(nlohmann::json::parse(read("run/summary.json")).at("test"), "renamed");
}

}  // namespace
}  // namespace trestle::cli
