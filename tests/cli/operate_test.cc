#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>

#include "gateway/operator/operator_server.h"
#include "tests/cli/program_test_case.h"
#include "tests/gateway/operator/fake_operated.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

/// The program asks a node that lives in this test.
class CliOperate : public ProgramTestCase {
 protected:
  void make_folder(const std::string& name) const {
    std::filesystem::create_directories(path(name));
  }
  std::unique_ptr<operators::OperatorServer> serve(const std::string& name) const {
    make_folder(name);
    operators::OperatorServer::Settings settings;
    settings.folder = path(name);
    settings.poll_interval = {};
    return std::make_unique<operators::OperatorServer>(settings);
  }
  Ended ask(operators::OperatorServer& server, const Words& words) {
    std::future<Ended> end = std::async(std::launch::async, [&] { return trestle(words); });
    while (end.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
      server.poll(node_);
    return end.get();
  }

  operators::FakeOperated node_;
};

TEST_F(CliOperate, ShowsAScreenOfTheStatus) {
  const auto server = serve("run");
  const Ended ended = ask(*server, {"status", "run"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.find("RUNNING    integrator, two-site frame, session 4f2e\n"), 0u)
      << ended.out;
  EXPECT_NE(ended.out.find("413 of 1000 steps"), std::string::npos);
  EXPECT_NE(ended.out.find("tcp://lab-east:7001"), std::string::npos);
  EXPECT_NE(ended.out.find("\nhere       20"), std::string::npos) << "the local time";
}

TEST_F(CliOperate, SaysWhy) {
  const auto server = serve("run");
  node_.now.state = "HOLDING";
  node_.now.reason = "west: rate above its limit";
  node_.now.waits = {
      {"the operator", "word to go on (trestle resume)", 2.0, 58.0, "the test is stopped"}};
  const Ended ended = ask(*server, {"why", "run"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(
      ended.out,
      "HOLDING: west: rate above its limit\n"
      "waits for the operator: word to go on (trestle resume), since 2.0 s; in 58.0 s "
      "the test is stopped\n"
      "next       trestle resume run\n");
}

TEST_F(CliOperate, PassesOnEachCommandAndSaysWhatHappened) {
  const auto server = serve("site");
  for (const std::string verb : {"arm", "hold", "resume", "stop", "clear"}) {
    const Ended ended = ask(*server, {verb, "site"});
    EXPECT_EQ(ended.code, 0) << verb << ended.err;
    ASSERT_FALSE(node_.orders.empty()) << verb;
    EXPECT_EQ(node_.orders.back().verb, verb);
    EXPECT_EQ(ended.out, "integrator was told to " + verb + " by " +
                             node_.orders.back().by +
                             "; it is RUNNING, 413 of 1000 steps done\n");
  }
  const Ended ended = ask(*server, {"hold", "site", "--reason", "a crack at the weld"});
  EXPECT_EQ(node_.orders.back().reason, "a crack at the weld");
  EXPECT_NE(ended.out.find("(a crack at the weld)"), std::string::npos) << ended.out;
}

TEST_F(CliOperate, SaysWhatTheNodeRefuses) {
  const auto server = serve("run");
  node_.refusal = "nothing holds; there is nothing to resume";
  const Ended ended = ask(*server, {"resume", "run"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "nothing holds; there is nothing to resume\n");
  EXPECT_EQ(ended.out, "");
  const Ended json = ask(*server, {"resume", "run", "--json"});
  EXPECT_EQ(json.code, 3);
  EXPECT_EQ(nlohmann::json::parse(json.out).at("ok"), false);
}

TEST_F(CliOperate, PrintsTheAnswerAsJson) {
  const auto server = serve("run");
  const Ended ended = ask(*server, {"status", "run", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const nlohmann::json json = nlohmann::json::parse(ended.out);
  EXPECT_EQ(json.at("ok"), true);
  EXPECT_EQ(json.at("step"), 412);
  EXPECT_EQ(json.at("peers").at(1).at("heard_ago_s"), nullptr);
}

TEST_F(CliOperate, FindsASiteByItsName) {
  const auto server = serve("runs/site-west-lab");
  make_folder("west lab");  // exists, but no process serves it
  const Ended ended = ask(*server, {"status", "west lab"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(CliOperate, SaysThatThereIsNoSuchFolder) {
  const Ended ended = trestle({"status", "nowhere"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "there is no folder nowhere, and none of a site runs/site-nowhere\n");
  EXPECT_EQ(trestle({"status"}).code, 2);
  EXPECT_EQ(trestle({"arm", "x", "--reason", "y"}).code, 2);
  EXPECT_EQ(trestle({"arm", "x", "--as", "unknown"}).code, 2);
}

TEST_F(CliOperate, SaysThatNoProcessServesTheFolderAndWhatToDo) {
  make_folder("run");
  Ended ended = trestle({"hold", "run"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "run: no process serves it\n");
  write("run/effective.yaml", "");
  ended = trestle({"why", "run"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "run: no process serves it; if the run died: trestle resume run\n");
  write("run/summary.json", "{}");
  ended = trestle({"why", "run"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err,
            "run: no process serves it; the run has ended: see run/summary.json\n");
}

TEST_F(CliOperate, ResumesNoFolderThatIsNoRun) {
  make_folder("west-records");
  const Ended ended = trestle({"resume", "west-records"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "west-records is no run's folder (no effective.yaml in it), and no process "
            "serves it; resume takes the folder of the run, at the integrator\n");
  const Ended nowhere = trestle({"resume", "nowhere"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_EQ(nowhere.err,
            "there is no folder nowhere, and none of a site runs/site-nowhere\n");
  EXPECT_FALSE(exists("nowhere"));
}

TEST_F(CliOperate, DoesNotWaitForEverForAProcessThatDoesNotAnswer) {
  const auto server = serve("run");  // and never looks
  Ended ended = trestle({"status", "run", "--patience", "0.1"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_NE(ended.err.find("has not answered for 0.1 s"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("nobody knows"), std::string::npos) << ended.err;
  ended = trestle({"hold", "run", "--patience", "0.1"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_NE(ended.err.find("nobody knows yet whether it follows this command: see trestle "
                           "status run"),
            std::string::npos)
      << ended.err;
}

TEST_F(CliOperate, SaysThatAFaultIsClearedAtItsSiteOnly) {
  const auto server = serve("run");
  write("run/effective.yaml", "");
  const Ended ended = ask(*server, {"clear", "run"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("a fault is cleared at its site only"), std::string::npos);
  EXPECT_TRUE(node_.orders.empty());
}

TEST_F(CliOperate, DoesNotTakeALongReason) {
  const auto server = serve("run");
  const Ended ended = ask(*server, {"stop", "run", "--reason", std::string(401, 'x')});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "--reason has 401 bytes; must be at most 400\n");
  EXPECT_TRUE(node_.orders.empty());
}

}  // namespace
}  // namespace trestle::cli
