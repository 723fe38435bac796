#include <sys/resource.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle {
namespace {

using Words = std::vector<std::string>;

class CliStop : public ProgramTestCase {
 protected:
  /// Data lines of an export.
  static std::int64_t steps_in(const std::string& csv) {
    std::int64_t lines = 0;
    for (const char c : csv) lines += c == '\n' ? 1 : 0;
    return lines - 1;
  }
  nlohmann::json summary() const { return nlohmann::json::parse(read("run/summary.json")); }
};

TEST_F(CliStop, EndsSafelyOnCtrlC) {
  Program run({"run", example("test.yaml"), "--out", "run", "--set",
               "excitation.synthetic.duration=600 s"},
              folder());
  ASSERT_TRUE(run.says("RUNNING")) << run.err();
  run.signal(SIGINT);
  EXPECT_EQ(run.exit_code(), 3) << run.err();
  EXPECT_NE(run.out().find("the operator asked for a stop"), std::string::npos)
      << run.out();
  EXPECT_EQ(summary().at("result"), "stopped");
  EXPECT_EQ(steps_in(exported("run")), summary().at("steps_done").get<std::int64_t>());
}

TEST_F(CliStop, SaysWhoMetWhichLimitWhenAndWhereItIsWritten) {
  const std::string file = edited("rate: 400 mm/s", "rate: 50 mm/s");
  const Ended ended = trestle({"run", file, "--out", "run"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.out.find("west: rate 50."), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("at actuator 1 is above its limit 50 mm/s at step "),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("s (limit of the test, test.yaml:41:41)"), std::string::npos)
      << ended.out;
  EXPECT_EQ(summary().at("result"), "stopped");
  EXPECT_EQ(steps_in(exported("run")), summary().at("steps_done").get<std::int64_t>());
}

TEST_F(CliStop, StopsAnUncompensatedLoopThatIsUnstable) {
  for (const char* word :
       {"sites.west.compensator.kind=none", "sites.west.compensator=none",
        "sites.west.compensator={kind: none}"}) {
    const Ended ended =
        trestle({"run", example("test.yaml"), "--out", word, "--set", word, "--json"});
    EXPECT_EQ(ended.code, 3) << word << ": " << ended.err;
    EXPECT_NE(ended.err.find("is above its limit 400 mm/s"), std::string::npos)
        << ended.err;
  }
}

TEST_F(CliStop, StopsSafelyWhenTheRecordCannotGrow) {
  Program run({"run", example("test.yaml"), "--out", "run", "--set",
               "excitation.synthetic.duration=600 s"},
              folder(), [] {
                const rlimit limit{12'000'000, 12'000'000};
                setrlimit(RLIMIT_FSIZE, &limit);
              });
  EXPECT_EQ(run.exit_code(), 3) << run.out() << run.err();
  EXPECT_NE(run.out().find("journal run/"), std::string::npos) << run.out();
  EXPECT_EQ(summary().at("result"), "stopped");
}

}  // namespace
}  // namespace trestle
