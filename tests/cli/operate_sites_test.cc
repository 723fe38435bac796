#include <chrono>
#include <csignal>

#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

/// Asks processes that run a test, or serve a site.
class CliOperateSites : public ProgramTestCase {
 protected:
  Words serving(const std::string& site) const {
    return {"site",  example("site_" + site + ".yaml"),
            "--set", "listen=" + socket(site),
            "--out", site + "-records"};
  }
  /// A test that takes minutes unless it is stopped.
  Words long_test() const {
    return {"run",   example("distributed.yaml"),
            "--out", "far",
            "--set", "sites.west.address=" + socket("west"),
            "--set", "sites.east.address=" + socket("east"),
            "--set", "excitation.synthetic.duration=3600 s"};
  }
  /// Asks again and again. @returns what the verb says when it says `text`, or said last
  std::string until(const Words& words, const std::string& text) const {
    // Far above what anything takes here, even on a busy machine.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(40);
    Ended ended;
    while (ended.out.find(text) == std::string::npos &&
           std::chrono::steady_clock::now() < end)
      ended = trestle(words);
    return ended.out;
  }
  std::string socket(const std::string& site) const {
    return "ipc://" + path(site + ".ipc");
  }
};

TEST_F(CliOperateSites, AnswerBeforeThereIsATest) {
  Program west(serving("west"), folder());
  ASSERT_TRUE(west.says("listens at"));
  const Ended status = trestle({"status", "west-records"});
  EXPECT_EQ(status.code, 0) << status.err;
  EXPECT_TRUE(holds(status.out, "west, no test")) << status.out;
  EXPECT_EQ(trestle({"hold", "west-records"}).code, 3);
  EXPECT_EQ(trestle({"clear", "west-records"}).code, 3);
}

TEST_F(CliOperateSites, AreServedByOneProcessEach) {
  Program west(serving("west"), folder());
  ASSERT_TRUE(west.says("listens at"));
  const Ended second = trestle(serving("west"));
  EXPECT_EQ(second.code, 2);
  EXPECT_EQ(second.err, "west-records: a program serves this folder already\n");
  west.signal(SIGKILL);
  west.exit_code();
  EXPECT_EQ(trestle({"status", "west-records"}).code, 4);
  Program again(serving("west"), folder());
  ASSERT_TRUE(again.says("listens at")) << again.err();
  EXPECT_EQ(trestle({"status", "west-records"}).code, 0);
}

TEST_F(CliOperateSites, HoldGoOnAndStopAsTheyAreTold) {
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  ASSERT_TRUE(west.says("listens at"));
  ASSERT_TRUE(east.says("listens at"));
  Program integrator(long_test(), folder());
  EXPECT_TRUE(
      holds(until({"status", "far"}, "RUNNING    integrator"), "RUNNING    integrator"));

  const Ended hold = trestle({"hold", "far", "--reason", "a crack"});
  EXPECT_EQ(hold.code, 0) << hold.err;
  const std::string why = until({"why", "far"}, "trestle resume");
  EXPECT_EQ(why.find("HOLDING (the rig holds): "), 0u) << why;
  EXPECT_TRUE(holds(why, "a crack")) << why;
  EXPECT_TRUE(holds(until({"status", "west-records"}, "HOLDING (the rig holds)"),
                    "HOLDING (the rig holds)"));

  const Ended resume = trestle({"resume", "far"});
  EXPECT_EQ(resume.code, 0) << resume.err;
  EXPECT_TRUE(
      holds(until({"status", "far"}, "RUNNING    integrator"), "RUNNING    integrator"));

  const Ended stop = trestle({"stop", "far", "--reason", "enough"});
  EXPECT_EQ(stop.code, 0) << stop.err;
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.err();
  EXPECT_TRUE(holds(integrator.out(), "enough")) << integrator.out();
  EXPECT_EQ(trestle({"status", "far"}).code, 4);
}

}  // namespace
}  // namespace trestle::cli
