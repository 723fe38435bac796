#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using CliDoctor = ProgramTestCase;

TEST_F(CliDoctor, SaysItAllAsJson) {
  const Ended ended = trestle({"doctor", "--seconds", "0.02", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto json = nlohmann::json::parse(ended.out);
  const std::string verdict = json.at("verdict");
  EXPECT_TRUE(verdict == "ready" || verdict == "late ticks" || verdict == "unfit")
      << verdict;
  EXPECT_FALSE(json.at("says").get<std::string>().empty());
  EXPECT_EQ(json.at("findings").size(), 11u);
  for (const auto& finding : json.at("findings"))
    for (const char* key : {"about", "says", "standing", "change"})
      EXPECT_TRUE(finding.at(key).is_string()) << key;
  const auto& facts = json.at("facts");
  for (const char* key : {"kernel", "preempt_rt", "virtual_machine", "fifo_priority",
                          "lockable_bytes", "cpus", "isolated_cpus", "governors",
                          "clock_source", "realtime_share_us", "timer_fifo"})
    EXPECT_TRUE(facts.contains(key)) << key;
  EXPECT_EQ(facts.at("period_ns"), 976'562);
  EXPECT_TRUE(facts.at("system_clock").at("synchronised").is_boolean());
  for (const char* key :
       {"ticks", "missed", "late_p50_ns", "late_p99_ns", "late_p99_9_ns", "late_max_ns"})
    EXPECT_TRUE(facts.at("timer_ordinary").at(key).is_number_integer()) << key;
}

TEST_F(CliDoctor, PutsTheVerdictOnTheFirstOfFewLines) {
  const Ended ended = trestle({"doctor", "--seconds", "0.02"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string first = ended.out.substr(0, ended.out.find('\n'));
  EXPECT_TRUE(first.find("READY") == 0 || first.find("LATE TICKS") == 0 ||
              first.find("UNFIT") == 0)
      << first;
  EXPECT_NE(first.find("1024 Hz"), std::string::npos) << first;
  EXPECT_LE(std::count(ended.out.begin(), ended.out.end(), '\n'), 24) << "one screen";
}

TEST_F(CliDoctor, RefusesATimeThatIsNone) {
  EXPECT_EQ(trestle({"doctor", "--seconds", "0"}).code, 2);
}

}  // namespace
}  // namespace trestle::cli
