// What a signal does to a test with real equipment, at either end, and to a site's server.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

const std::vector<std::string> kSlow{"mode=pseudo-dynamic",
                                     "pseudo_dynamic.settle=2 ms",
                                     "pseudo_dynamic.average=2 ms",
                                     "pseudo_dynamic.rate=100 mm/s",
                                     "pseudo_dynamic.rotation_rate=100 mrad/s",
                                     "deadlines.heartbeat=50 ms",
                                     "deadlines.watchdog=3 s",
                                     "deadlines.step=8 s",
                                     "deadlines.hold=60 s"};
const std::vector<std::string> kLong{"excitation.synthetic.duration=3600 s"};

class Interrupted : public OperatorLab {
 protected:
  std::unique_ptr<Program> start(const Words& words) const {
    return std::make_unique<Program>(words, folder());
  }
  void begin(bool real_west, const Words& more = kLong) {
    west = start(real_west ? real("west") : serving("west"));
    east = start(serving("east"));
    integrator = start(running(kSlow + more));
    if (real_west) {
      until_why("run", "trestle arm");
      tell({"arm", "run"});
    }
    until("run", "RUNNING", 3);
  }
  std::int64_t held_at(const std::string& where) const {
    return until(where, "HOLDING").at("step").get<std::int64_t>();
  }
  void stop() {
    tell({"stop", "run"});
    EXPECT_EQ(integrator->exit_code(), 3) << integrator->out();
  }
  /// A test whose two rigs are in its own process, west as if it could break.
  Words here(const Words& more = {}) const {
    return Words{"run", example("test.yaml"), "--out", "run"} +
           set(kSlow + kLong +
               Words{"sites.west.as_real_equipment=true",
                     "sites.east.as_real_equipment=false"} +
               more);
  }

  std::unique_ptr<Program> west;
  std::unique_ptr<Program> east;
  std::unique_ptr<Program> integrator;
};

TEST_F(Interrupted, HoldsRealEquipmentAtTheFirstCtrlCAndEndsTheTestAtTheSecond) {
  begin(true);
  integrator->signal(SIGINT);
  ASSERT_TRUE(integrator->says("End the test for good: Ctrl-C again"))
      << integrator->heard();
  const std::int64_t step = held_at("run");
  EXPECT_TRUE(holds(integrator->heard(), "trestle resume run"));
  EXPECT_TRUE(holds(integrator->heard(), "the site servers go on holding their rigs"));
  tell({"resume", "run"});
  until("run", "RUNNING", step + 3);
  integrator->signal(SIGINT);  // the test went on since: the first again
  ASSERT_TRUE(integrator->says("End the test for good: Ctrl-C again"))
      << integrator->heard();
  held_at("run");
  integrator->signal(SIGINT);
  EXPECT_EQ(integrator->exit_code(), 3);
  const Ended again = trestle({"resume", "run"});
  EXPECT_EQ(again.code, 2) << again.out << again.err;
}

TEST_F(Interrupted, LeavesRealEquipmentToItsSiteServersAndGoesOnFromTheSameStep) {
  begin(true);
  for (const int number : {SIGTERM, SIGHUP}) {
    integrator->signal(number);
    EXPECT_EQ(integrator->exit_code(), 3) << integrator->out();
    EXPECT_TRUE(holds(integrator->out(), "can be resumed: trestle resume run"));
    until("west-records", "HOLDING");
    integrator = start({"resume", "run", "--as", "grace"});
    until("run", "RUNNING", 6);
  }
  stop();
  const Ended audit = trestle({"audit", "west-records"});
  EXPECT_TRUE(holds(audit.out, "grace (")) << audit.out;
}

TEST_F(Interrupted, HoldsTheRigWhateverSignalEndsItsServerAndGoesOnWithTheNext) {
  begin(true);
  for (const int number :
       {SIGTERM, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGRTMAX}) {
    west->signal(number);
    EXPECT_EQ(west->exit_code(), 0) << number << west->err();
    const std::int64_t step = held_at("run");
    EXPECT_TRUE(holds(why("run"), "the server of the site was ended")) << why("run");
    west = start(real("west"));
    until("west-records", "HOLDING");
    tell({"resume", "run"});
    until("run", "RUNNING", step + 2);
  }
  stop();
  const Ended audit = trestle({"audit", "run"});
  EXPECT_EQ(audit.code, 0) << audit.out;
  EXPECT_FALSE(holds(audit.out, "by itself")) << audit.out;
}

TEST_F(Interrupted, ASimulatedSiteThatIsStartedAgainGoesOnByItself) {
  begin(false, {"duration=0.15 s"});
  east->signal(SIGTERM);
  EXPECT_EQ(east->exit_code(), 0) << east->err();
  held_at("run");
  east = start(serving("east"));
  EXPECT_EQ(integrator->exit_code(), 0) << integrator->out() << east->heard();
  const Ended undisturbed = trestle(Words{"run", example("test.yaml"), "--out", "here"} +
                                    set(kSlow + Words{"duration=0.15 s"}));
  ASSERT_EQ(undisturbed.code, 0) << undisturbed.err;
  EXPECT_EQ(exported("run"), exported("here"));
}

TEST_F(Interrupted, AServerStaysWithItsRigAtTheFirstCtrlC) {
  begin(true);
  west->signal(SIGINT);
  ASSERT_TRUE(west->says("this server stays with its rig")) << west->heard();
  held_at("run");
  EXPECT_EQ(trestle({"status", "west-records"}).code, 0);
  west->signal(SIGINT);
  EXPECT_EQ(west->exit_code(), 0);
  west = start(real("west"));
  until("west-records", "HOLDING");
  tell({"resume", "run"});
  until("run", "RUNNING");
  stop();
}

TEST_F(Interrupted, NothingSuspendsAServer) {
  begin(true);
  const std::int64_t step = until("run", "RUNNING").at("step").get<std::int64_t>();
  for (const int number : {SIGTSTP, SIGTTIN, SIGTTOU}) west->signal(number);
  until("run", "RUNNING", step + 20);
  stop();
}

TEST_F(Interrupted, EquipmentInTheIntegratorsProcessHasTheProtectionOfASite) {
  integrator = start(here());
  until_why("run", "trestle arm");
  tell({"arm", "run"});
  until("run", "RUNNING", 3);
  const Ended second = trestle(real("west"));
  EXPECT_EQ(second.code, 2) << second.err;
  EXPECT_TRUE(holds(second.err, "is driven already: by process")) << second.err;
  for (const int number : {SIGTSTP, SIGTERM}) integrator->signal(number);
  ASSERT_TRUE(integrator->says("then only the equipment itself holds the rig"))
      << integrator->heard();
  held_at("run");
  tell({"resume", "run"});
  until("run", "RUNNING");
  integrator->signal(SIGSEGV);
  integrator->exit_code();
  EXPECT_TRUE(holds(integrator->err(), "segmentation fault; the rig was told to hold"))
      << integrator->err();
}

TEST_F(Interrupted, AFaultInTheIntegratorsProcessStaysUntilItIsCleared) {
  // West alone meets it, half a second of motion behind the start.
  const Words tight{"excitation.synthetic.duration=40 s", "excitation.scale=10",
                    "sites.west.limits.actuators[0].force=500 N",
                    "sites.east.limits.actuators=[{displacement: 60 mm, rate: 400 mm/s, "
                    "force: 250 kN}, {displacement: 20 mrad, rate: 130 mrad/s, force: 400 "
                    "kN.m}]"};
  integrator = start(here(tight));
  until_why("run", "trestle arm");
  tell({"arm", "run"});
  until_why("run", "has cleared the fault there");
  EXPECT_EQ(trestle({"status", "west"}).code, 0)
      << "the site answers beside its integrator";
  // It holds where the force is still above its limit.
  const Ended refused = trestle({"clear", "west"});
  EXPECT_EQ(refused.code, 3) << refused.out;
  EXPECT_TRUE(holds(refused.err, "the rig is still in fault: force")) << refused.err;
  integrator->signal(SIGKILL);
  integrator->exit_code();
  const Ended again = trestle({"resume", "run"});
  EXPECT_EQ(again.code, 2) << again.out;
  EXPECT_TRUE(holds(again.err, "is in FAULT: ")) << again.err;
  EXPECT_TRUE(holds(again.err, "trestle clear west")) << again.err;
  const Ended cleared = trestle({"clear", "west", "--as", "grace"});
  EXPECT_EQ(cleared.code, 0) << cleared.err;
  EXPECT_TRUE(holds(cleared.out, "fault cleared by grace (")) << cleared.out;
  integrator = start({"resume", "run"});
  until("run", "HOLDING");
  // It met its limit again.
  until_why("run", "has cleared the fault there");
  stop();
}

TEST_F(Interrupted, AFaultIsFoundFromEveryFolderAndOneServerDrivesARig) {
  const std::string elsewhere = path("elsewhere");
  std::filesystem::create_directory(elsewhere);
  const auto there = [&](const Words& words) {
    return std::make_unique<Program>(words, elsewhere, [state = path("state")] {
      setenv("TRESTLE_STATE", state.c_str(), 1);
    });
  };
  const Words home{
      "safe_action={kind: ramp-home, rate: [5 mm/s, 5 mrad/s], acceleration: "
      "[50 mm/s2, 50 mrad/s2]}"};
  west = start(real("west", home));
  east = start(serving("east"));
  integrator = start(running(kSlow + kLong));
  until_why("run", "trestle arm");
  tell({"arm", "run"});
  until("run", "RUNNING", 3);
  const auto second = there(real("west", {"listen=ipc://" + path("second.ipc")}));
  EXPECT_EQ(second->exit_code(), 2) << second->err();
  EXPECT_TRUE(holds(second->err(), "one process drives a rig")) << second->err();
  EXPECT_TRUE(holds(second->err(), path("west-records"))) << second->err();
  integrator->signal(SIGKILL);
  integrator->exit_code();
  until("west-records", "FAULT");
  west->signal(SIGKILL);
  west->exit_code();
  // From another folder, with another folder for its records.
  const auto third = there(real("west", home));
  ASSERT_TRUE(third->says("FAULT")) << third->err();
  const auto cleared = there({"clear", "west"});
  EXPECT_EQ(cleared->exit_code(), 0) << cleared->err();
  ASSERT_TRUE(third->says("CONNECTED")) << third->heard();
}

TEST_F(Interrupted, WhoDoesNotReadStderrStopsNeitherTheNodeNorTheOperator) {
  // Two pipes without a reader, which are full before the first line.
  const auto deaf = [] {
    int ends[2];
    if (pipe(ends) != 0) _exit(125);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const std::string block(4096, 'x');
    while (::write(ends[1], block.data(), block.size()) > 0) {
    }
    fcntl(ends[1], F_SETFL, 0);
    dup2(ends[1], STDERR_FILENO);
  };
  west = std::make_unique<Program>(real("west"), folder(), deaf);
  east = start(serving("east"));
  integrator = std::make_unique<Program>(running(kSlow + kLong), folder(), deaf);
  until_why("run", "trestle arm");
  tell({"arm", "run"});
  until("run", "RUNNING", 20);
  EXPECT_EQ(trestle({"status", "west-records"}).code, 0);
  EXPECT_TRUE(holds(read("west-records/site.log"), "RUNNING"));
  west->signal(SIGTERM);
  EXPECT_EQ(west->exit_code(), 0);
  held_at("run");
  stop();
}

}  // namespace
}  // namespace trestle::cli
