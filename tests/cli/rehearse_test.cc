#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

class CliRehearse : public ProgramTestCase {
 protected:
  Ended rehearse(const Words& more) const {
    return trestle(Words{"rehearse", example("test.yaml"), "--steps", "20"} + more);
  }
};

TEST_F(CliRehearse, TellsWhatBecameOfTheShippedTestFaultByFault) {
  const Ended ended = rehearse({"--faults", "60"});
  ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("KEPT        60 scenarios of seed 1, the first 20 of"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("power-loss"), std::string::npos);
}

TEST_F(CliRehearse, SaysTheSameInJsonOnAnyNumberOfThreads) {
  const Ended one = rehearse({"--faults", "60", "--seed", "5", "--json", "--jobs", "1"});
  const Ended three = rehearse({"--faults", "60", "--seed", "5", "--json", "--jobs", "3"});
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
  const auto json = nlohmann::json::parse(one.out);
  EXPECT_EQ(json.at("scenarios"), 60);
  EXPECT_EQ(json.at("violations"), 0);
  EXPECT_LE(json.at("worst_ticks_to_safe_action"), 2);
  int sum = 0;
  for (const auto& [outcome, count] : json.at("outcomes").items()) sum += count.get<int>();
  EXPECT_EQ(sum, 60);
}

TEST_F(CliRehearse, TellsOneScenarioAgain) {
  const Ended first = rehearse({"--seed", "5", "--scenario", "12"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("StepCommand 0"), std::string::npos);
  EXPECT_NE(first.out.find("all promises were kept"), std::string::npos);
  EXPECT_EQ(first.out, rehearse({"--seed", "5", "--scenario", "12"}).out);
}

TEST_F(CliRehearse, AsksForATwinOfASiteElsewhere) {
  write("test.yaml",
        "include: " + example("test.yaml") +
            "\nclock: wall\nsites: {west: {address: \"tcp://127.0.0.1:7001\"}}\n");
  const Ended twin = trestle({"rehearse", path("test.yaml"), "--faults", "5"});
  EXPECT_EQ(twin.code, 0) << twin.out << twin.err;
  EXPECT_EQ(trestle({"rehearse", path("none.yaml")}).code, 2);
}

}  // namespace
}  // namespace trestle::cli
