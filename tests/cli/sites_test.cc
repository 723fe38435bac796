#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

/// The shipped distributed test over ipc sockets in the test's folder.
class CliSites : public ProgramTestCase {
 protected:
  std::string socket(const std::string& site) const {
    return "ipc://" + path(site + ".ipc");
  }

  Words serving(const std::string& site, const Words& more = {}) const {
    return Words{"site",  example("site_" + site + ".yaml"),
                 "--set", "listen=" + socket(site),
                 "--out", site + "-records"} +
           more;
  }
  Words distributed(const std::string& out, const Words& more = {}) const {
    return Words{"run",   example("distributed.yaml"),
                 "--out", out,
                 "--set", "sites.west.address=" + socket("west"),
                 "--set", "sites.east.address=" + socket("east")} +
           more;
  }
  /// The one-process run of the same test.
  void run_here(const Words& more = {}) const {
    const Ended ended = trestle(Words{"run", example("test.yaml"), "--out", "here"} + more);
    ASSERT_EQ(ended.code, 0) << ended.err;
  }
  /// Those that are of what was recorded: the others take off the noise of rigs in the
  /// integrator's process.
  nlohmann::json criteria(const std::string& run) const {
    nlohmann::json all = nlohmann::json::parse(read(run + "/summary.json")).at("criteria");
    all.erase("rmse");
    all.erase("delay_s");
    return all;
  }
  void expect_same_record(const std::string& run) const {
    EXPECT_EQ(exported("here"), exported(run));
    EXPECT_EQ(criteria("here"), criteria(run));
    const Ended collected = trestle({"collect", run, "west-records", "east-records"});
    ASSERT_EQ(collected.code, 0) << collected.err;
    EXPECT_EQ(exported("here", true), exported(run, true));
  }
};

TEST_F(CliSites, GiveTheRecordOfOneProcessWhenTheyStartFirst) {
  run_here();
  Program west(serving("west", {"--once"}), folder());
  Program east(serving("east", {"--once"}), folder());
  ASSERT_TRUE(west.says("listens at"));
  ASSERT_TRUE(east.says("listens at"));
  const Ended ended = trestle(distributed("far"));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(west.exit_code(), 0) << west.err();
  EXPECT_EQ(east.exit_code(), 0) << east.err();
  expect_same_record("far");
}

TEST_F(CliSites, GoOnWhereNobodyReadsAnyMoreWhatTheySay) {
  run_here(kShort);
  Program west(serving("west", {"--once"}), folder());
  Program east(serving("east", {"--once"}), folder());
  ASSERT_TRUE(west.says("records go to"));
  west.stop_reading();
  const Ended ended = trestle(distributed("far", kShort));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(west.exit_code(), 0);
  expect_same_record("far");
}

TEST_F(CliSites, EndSafelyWhereTheirTerminalIsClosed) {
  Program west(serving("west"), folder(), [] { std::signal(SIGHUP, SIG_DFL); });
  ASSERT_TRUE(west.says("records go to"));
  west.signal(SIGHUP);
  EXPECT_EQ(west.exit_code(), 0);
  EXPECT_NE(read("west-records/site.log").find("site west ends"), std::string::npos);
}

TEST_F(CliSites, GiveTheRecordOfOneProcessWhenOneComesLate) {
  run_here(kShort);
  // On a busy host a site needs longer than the usual deadline to begin.
  Program integrator(distributed("far", kShort + Words{"--set", "deadlines.connect=60 s"}),
                     folder());
  Program east(serving("east", {"--once"}), folder());
  ASSERT_TRUE(integrator.says("WAITING"));  // it has missed west for seconds
  Program west(serving("west", {"--once"}), folder());
  EXPECT_EQ(integrator.exit_code(), 0) << integrator.err();
  EXPECT_EQ(west.exit_code(), 0) << west.err();
  EXPECT_EQ(east.exit_code(), 0) << east.err();
  expect_same_record("far");
}

TEST_F(CliSites, MayCallTheIntegratorInstead) {
  run_here(kShort);
  const std::string meeting = "ipc://" + path("meeting.ipc");
  write("calls.yaml", "include: " + example("test.yaml") + "\nlisten: " + meeting +
                          "\nsites:\n  west: {remote: true}\n  east: {remote: true}\n");
  for (const std::string site : {"west", "east"}) {
    std::string text = shipped("site_" + site + ".yaml");
    const std::size_t at = text.find("listen: ");
    text.replace(at, text.find('\n', at) - at, "integrator: " + meeting);
    write("site_" + site + ".yaml", text);
  }
  Program west({"site", "site_west.yaml", "--out", "west-records", "--once"}, folder());
  ASSERT_TRUE(west.says("calls the integrator at"));
  Program integrator(Words{"run", "calls.yaml", "--out", "far"} + kShort, folder());
  Program east({"site", "site_east.yaml", "--out", "east-records", "--once"}, folder());
  EXPECT_EQ(integrator.exit_code(), 0) << integrator.err();
  EXPECT_EQ(west.exit_code(), 0) << west.err();
  EXPECT_EQ(east.exit_code(), 0) << east.err();
  expect_same_record("far");
}

TEST_F(CliSites, ServeOneTestAfterTheOther) {
  run_here(kShort);
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  for (const char* out : {"first", "second"}) {
    const Ended ended = trestle(distributed(out, kShort));
    ASSERT_EQ(ended.code, 0) << ended.err;
    expect_same_record(out);
  }
  west.signal(SIGTERM);
  east.signal(SIGINT);
  EXPECT_EQ(west.exit_code(), 0) << west.err();
  EXPECT_EQ(east.exit_code(), 0) << east.err();
}

TEST_F(CliSites, HandOutTheirRecordsOverTheBus) {
  run_here(kShort);
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  for (const char* out : {"first", "second"}) {
    const Ended ended = trestle(distributed(out, kShort));
    ASSERT_EQ(ended.code, 0) << ended.err;
  }
  for (const char* out : {"first", "second"}) {
    const Ended collected = trestle({"collect", out});
    ASSERT_EQ(collected.code, 0) << collected.err;
    EXPECT_EQ(exported("here", true), exported(out, true));
  }
  const Ended here = trestle({"collect", "here"});
  EXPECT_EQ(here.code, 2);
  EXPECT_NE(here.err.find("were in its own process"), std::string::npos) << here.err;
  west.signal(SIGTERM);
  EXPECT_EQ(west.exit_code(), 0) << west.err();
  const Ended silent = trestle({"collect", "first", "--patience", "0.2"});
  EXPECT_EQ(silent.code, 4);
  EXPECT_NE(silent.err.find("site west (" + socket("west") + ")"), std::string::npos)
      << silent.err;
  EXPECT_EQ(exported("here", true), exported("first", true)) << "the earlier copy stays";
}

TEST_F(CliSites, AreNotDisturbedInATestByASecondIntegrator) {
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  ASSERT_EQ(trestle(distributed("before", kShort)).code, 0);
  Program integrator(distributed("far", {"--set", "excitation.synthetic.duration=20 s",
                                         "--set", "deadlines.step=2 s"}),
                     folder());
  ASSERT_TRUE(west.says("Z  RUNNING"));  // the one before
  ASSERT_TRUE(west.says("Z  RUNNING"));
  // Told at once: its own patience is longer than the test that it ran into.
  const Ended second = trestle(distributed("second", {"--set", "deadlines.connect=300 s"}));
  EXPECT_EQ(second.code, 4) << second.out;
  EXPECT_NE(second.out.find(" is busy with test two-site frame of "), std::string::npos)
      << second.out;
  EXPECT_NE(second.out.find("(RUNNING); wait for its end, or ask for it to be stopped"),
            std::string::npos)
      << second.out;
  const Ended collected = trestle({"collect", "before", "--patience", "300"});
  EXPECT_EQ(collected.code, 4) << collected.err;
  EXPECT_NE(collected.err.find("it hands out no record meanwhile"), std::string::npos)
      << collected.err;
  EXPECT_EQ(integrator.exit_code(), 0) << integrator.out() << integrator.err();
  EXPECT_EQ(trestle({"collect", "before"}).code, 0);
}

TEST_F(CliSites, AreNamedWithTheirAddressWhenTheyAreNotThere) {
  Program west(serving("west", {"--once"}), folder());
  ASSERT_TRUE(west.says("listens at"));
  const Ended ended = trestle(distributed("far", {"--set", "deadlines.connect=0.3 s"}));
  EXPECT_EQ(ended.code, 4);
  EXPECT_NE(ended.out.find("hello of site east (" + socket("east") + ") within 0.3 s"),
            std::string::npos)
      << ended.out;
}

TEST_F(CliSites, AreNamedWhenTheyAreKilled) {
  const Words patient{"--set", "deadlines.step=1 s",
                      "--set", "deadlines.hold=1 s",
                      "--set", "excitation.synthetic.duration=600 s"};
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(distributed("far", patient), folder());
  ASSERT_TRUE(integrator.says("RUNNING")) << integrator.err();
  east.signal(SIGKILL);
  EXPECT_EQ(integrator.exit_code(), 4) << integrator.err();
  EXPECT_NE(integrator.out().find("no answer of site east"), std::string::npos)
      << integrator.out();
  EXPECT_EQ(nlohmann::json::parse(read("far/summary.json")).at("result"), "peer lost");
  EXPECT_TRUE(
      west.says("CONFIGURED"));  // it held, went to its safe position, and serves on
}

TEST_F(CliSites, HoldByThemselvesWhenTheIntegratorIsKilled) {
  const Words watchful{"--set", "deadlines.watchdog=1 s",
                       "--set", "deadlines.heartbeat=0.1 s",
                       "--set", "excitation.synthetic.duration=600 s"};
  run_here(kShort);
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  {
    Program integrator(distributed("far", watchful), folder());
    ASSERT_TRUE(west.says("RUNNING"));
    ASSERT_TRUE(east.says("RUNNING"));
    integrator.signal(SIGKILL);
    EXPECT_EQ(integrator.exit_code(), 128 + SIGKILL);
  }
  EXPECT_TRUE(west.says("HOLDING"));
  EXPECT_TRUE(west.says("the integrator is silent")) << west.err();
  EXPECT_TRUE(east.says("HOLDING"));
  const Ended next = trestle(distributed("next", kShort));
  EXPECT_EQ(next.code, 0) << next.out << next.err;
  expect_same_record("next");
}

TEST_F(CliSites, TellWhichOfTheirOwnLimitsWasMet) {
  Program west(serving("west", {"--set", "limits.actuators[0].rate=50 mm/s"}), folder());
  Program east(serving("east"), folder());
  const Ended ended = trestle(distributed("far"));
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.out.find("west: rate 50."), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("mm/s at actuator 1 is above its limit 50 mm/s (site limit, "
                           "--set limits.actuators[0].rate) at step "),
            std::string::npos)
      << ended.out;
  EXPECT_TRUE(west.says("FAULT"));
}

TEST_F(CliSites, HaveTheirOwnFilesCheckedLikeATest) {
  write("site.yaml", "site: west\nlisten: tcp://127.0.0.1:*\nrigg: {}\n");
  const Ended ended = trestle({"site", "site.yaml"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("site.yaml:3:1: unknown key `rigg`"), std::string::npos)
      << ended.err;
  EXPECT_FALSE(exists("runs"));
}

}  // namespace
}  // namespace trestle::cli
