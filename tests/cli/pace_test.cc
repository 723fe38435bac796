#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using CliPace = ProgramTestCase;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

const std::vector<std::string> kRealTime{
    "--set", "mode=real-time", "--set", "clock=virtual", "--set", "sites.west.link=campus"};

TEST_F(CliPace, ExportsALedgerWhoseAccountsAddUp) {
  const std::vector<std::string> run{"run", example("test.yaml"), "--out", "run"};
  const Ended ended = trestle(run + kShort + kRealTime);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("west       uplink"), std::string::npos) << ended.out;
  const auto summary = nlohmann::json::parse(read("run/summary.json"));
  EXPECT_EQ(summary.at("sites")[0].at("misses"), 0);
  EXPECT_EQ(summary.at("sites")[0].at("ledger").size(), 11u);
  ASSERT_EQ(trestle({"export", "run", "--ledger", "ledger.csv"}).code, 0);
  const std::vector<std::string> lines = lines_of(read("ledger.csv"));
  EXPECT_EQ(lines.size(), 1 + 2 * summary.at("steps_done").get<std::size_t>());
  EXPECT_EQ(
      lines[0],
      "step,site,i0_ns,i1_ns,ir_ns,i2_ns,s1_ns,s2_ns,s3_ns,s4_ns,s5_ns,i3_ns,ij_ns,i4_ns,"
      "clock_bound_ns");
  EXPECT_EQ(lines[1].substr(0, 7), "0,west,");
  EXPECT_EQ(lines[4].substr(0, 7), "1,east,");
}

// Criteria compare what the mode compares: where the actuators arrived with where they
// went.
TEST_F(CliPace, JudgesPseudoDynamicStepsByTheirOwnAnswers) {
  const Ended ended =
      trestle({"run", example("test.yaml"), "--out", "run", "--set", "duration=0.2 s",
               "--set", "mode=pseudo-dynamic", "--set", "clock=virtual", "--set",
               "sites.west.compensator=none", "--set", "sites.east.compensator=none",
               "--set", "sites.west.rig.noise=[]", "--set", "sites.east.rig.noise=[]"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto summary = nlohmann::json::parse(read("run/summary.json"));
  const auto& criteria = summary.at("criteria");
  for (std::size_t i = 0; i < 4; ++i) {
    const double tracking =
        summary.at("sites")[i / 2].at("tracking")[i % 2].at("nrmse").get<double>();
    EXPECT_LT(tracking, 1e-3);
    EXPECT_LT(criteria.at("J2")[i].get<double>(), 0.2) << criteria.dump(1);
    EXPECT_EQ(criteria.at("J1")[i].get<double>(), 0.0);
  }
}

TEST_F(CliPace, ExportsWhatSitesReportUnderTheWallClockAlone) {
  const std::vector<std::string> run{"run", example("test.yaml"), "--out"};
  const std::vector<std::string> wall{"wall", "--set", "clock=wall"};
  ASSERT_EQ(trestle(run + wall + kShort).code, 0);
  ASSERT_EQ(trestle({"export", "wall", "--health", "health.csv"}).code, 0);
  EXPECT_TRUE(lines_of(read("health.csv"))
                  .at(0)
                  .starts_with("heartbeat,time_s,west.step,west.cycles,west.overdue_ns,"
                               "west.1.displacement_used,"))
      << read("health.csv");
  const std::vector<std::string> still{"virtual"};
  ASSERT_EQ(trestle(run + still + kShort + kRealTime).code, 0);
  const Ended ended = trestle({"export", "virtual", "--health", "none.csv"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("it is of a run under the virtual clock"), std::string::npos)
      << ended.err;
  EXPECT_FALSE(exists("none.csv"));
}

TEST_F(CliPace, SaysThatLockstepOnTheVirtualClockHasNoLedger) {
  const std::vector<std::string> run{"run", example("test.yaml"), "--out", "run"};
  ASSERT_EQ(trestle(run + kShort).code, 0);
  const Ended ended = trestle({"export", "run", "--ledger", "ledger.csv"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "this run has no delay ledger: in lock-step under the virtual clock no time "
            "passes that could be accounted for; run it with --set clock=wall, or in "
            "another mode\n");
  EXPECT_FALSE(exists("ledger.csv"));
}

}  // namespace
}  // namespace trestle::cli
