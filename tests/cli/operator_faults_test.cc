#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

const Words kTest{"mode=pseudo-dynamic",
                  "pseudo_dynamic.settle=2 ms",
                  "pseudo_dynamic.average=2 ms",
                  "pseudo_dynamic.rate=100 mm/s",
                  "pseudo_dynamic.rotation_rate=100 mrad/s",
                  "excitation.synthetic.duration=3600 s",
                  "excitation.scale=4",
                  "deadlines.heartbeat=50 ms",
                  "deadlines.watchdog=1 s",
                  "deadlines.step=8 s",
                  "deadlines.hold=60 s"};
const char* const kHome =
    "safe_action={kind: ramp-home, rate: [5 mm/s, 5 mrad/s], acceleration: [50 mm/s2, 50 "
    "mrad/s2]}";
constexpr double kTick = 1.0 / 1024;

/// A test with real equipment in the west, and what goes wrong with it.
class OperatorFaults : public OperatorLab {
 protected:
  std::unique_ptr<Program> start(const Words& words) const {
    return std::make_unique<Program>(words, folder());
  }
  void begin(const Words& west_settings = {}) {
    west = start(real("west", west_settings));
    east = start(serving("east"));
    integrator = start(running(kTest));
    if (!integrator->says("trestle arm")) throw std::runtime_error(integrator->err());
    tell({"arm", "run"});
    try {
      until("run", "RUNNING", 20);
    } catch (const std::exception& error) {
      throw std::runtime_error(std::string(error.what()) + integrator->heard() +
                               west->heard() + east->heard() + read("run/summary.json"));
    }
  }
  static void kill_9(std::unique_ptr<Program>& victim) {
    victim->signal(SIGKILL);
    EXPECT_EQ(victim->exit_code(), 128 + SIGKILL);
  }
  void stop() {
    tell({"stop", "run"});
    EXPECT_EQ(integrator->exit_code(), 3) << integrator->out();
  }

  std::unique_ptr<Program> west;
  std::unique_ptr<Program> east;
  std::unique_ptr<Program> integrator;
};

double fastest(const std::vector<double>& drives) {
  double most = 0.0;
  for (std::size_t i = 1; i < drives.size(); ++i)
    most = std::max(most, std::abs(drives[i] - drives[i - 1]) / kTick);
  return most;
}

TEST_F(OperatorFaults, AKilledSiteGoesOnByAPersonsWordFromWhereItStands) {
  begin();
  kill_9(west);
  west = start(real("west"));
  const auto held = until("run", "HOLDING");
  until("west-records", "HOLDING");
  EXPECT_TRUE(holds(why("run"), "waits for the operator")) << why("run");
  EXPECT_TRUE(holds(why("run"), "site west")) << why("run");
  tell({"resume", "run"});
  until("run", "RUNNING", held.at("step").get<std::int64_t>() + 3);
  stop();
  EXPECT_LE(fastest(ticks("west.1.command_m")), 0.16);
}

TEST_F(OperatorFaults, ARigRampsHomeWhenItsIntegratorIsKilled) {
  begin({kHome});
  kill_9(integrator);
  until("west-records", "FAULT");
  EXPECT_TRUE(holds(why("west-records"), "the integrator is silent"))
      << why("west-records");
  until("east-records", "HOLDING");
  integrator = start({"resume", "run"});
  until("run", "HOLDING");
  EXPECT_TRUE(integrator->says("trestle resume")) << integrator->err();
  EXPECT_TRUE(holds(why("run"), "FAULT")) << why("run");
  tell({"clear", "west-records"});
  tell({"resume", "run"});
  until("run", "RUNNING");
  stop();
  const std::vector<double> drives = ticks("west.1.command_m");
  EXPECT_LE(fastest(drives), 0.16);
}

// Its rig stands where it was stopped: a run that called that the safe position would lie.
TEST_F(OperatorFaults, ASiteThatIsKilledOnItsWayHomeAndStartedAgainIsNamedAtTheEnd) {
  begin();
  const auto word = start({"stop", "run"});
  until_asked("west-records", "STOPPING");  // for a second
  kill_9(west);
  west = start(real("west"));
  EXPECT_EQ(integrator->exit_code(), 3) << integrator->err();
  const std::string out = integrator->out();
  EXPECT_TRUE(holds(out, "site west was started again before it said that its rig")) << out;
  EXPECT_TRUE(holds(out, "see to site west, which was started again")) << out;
  EXPECT_FALSE(holds(out, "all sites hold")) << out;
}

TEST_F(OperatorFaults, AnotherConfigurationIsRefusedWithTheLineThatDiffers) {
  begin();
  kill_9(west);
  west = start(real("west", {"limits.actuators[0].rate=399 mm/s"}));
  ASSERT_TRUE(integrator->says("interface[0].rate_m_s: the journal has"))
      << integrator->err() << west->heard();
  EXPECT_TRUE(holds(why("run"), "put that back")) << why("run");
  kill_9(west);
  west = start(real("west"));
  for (int i = 0; i < 1000 && !holds(why("run"), "trestle resume"); ++i) {
  }
  tell({"resume", "run"});
  until("run", "RUNNING");
  stop();
}

TEST_F(OperatorFaults, AnotherModelIsNotGoneOnWith) {
  begin();
  kill_9(integrator);
  std::string text = read("run/effective.yaml");
  const std::size_t at = text.find("mass: 12000");
  ASSERT_NE(at, std::string::npos) << text;
  write("run/effective.yaml", text.replace(at, 11, "mass: 13000"));
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_TRUE(holds(ended.out, "line 5: model: the integrator has")) << ended.out;
}

TEST_F(OperatorFaults, TheAuditSaysWhoDidWhatAndFindsAChange) {
  begin({kHome});
  tell({"hold", "run", "--reason", "a crack"});
  until("run", "HOLDING");
  tell({"resume", "run"});
  until("run", "RUNNING");
  integrator->signal(SIGSTOP);
  until("west-records", "FAULT");
  integrator->signal(SIGCONT);
  until("run", "HOLDING");
  stop();
  tell({"clear", "west-records"});
  const Ended audit = trestle({"audit", "run"});
  EXPECT_EQ(audit.code, 0) << audit.out;
  for (const char* what : {"armed", "held", "a crack", "resumed", "stopped", "witness"})
    EXPECT_TRUE(holds(audit.out, what)) << what << audit.out;
  const Ended site = trestle({"audit", "west-records"});
  EXPECT_EQ(site.code, 0) << site.out;
  for (const char* what : {"armed", "held", "resumed", "stopped", "witness", "cleared"})
    EXPECT_TRUE(holds(site.out, what)) << what << site.out;
}

TEST_F(OperatorFaults, AFaultThatIsClearedAfterARestartIsInTheAudit) {
  begin({kHome});
  integrator->signal(SIGSTOP);
  until("west-records", "FAULT");
  integrator->signal(SIGCONT);
  until("run", "HOLDING");
  kill_9(west);
  west = start(real("west", {kHome}));
  until("west-records", "FAULT");
  tell({"clear", "west-records"});
  until("west-records", "HOLDING");
  tell({"resume", "run"});
  until("run", "RUNNING");
  stop();
  const Ended audit = trestle({"audit", "west-records"});
  EXPECT_EQ(audit.code, 0) << audit.out;
  EXPECT_TRUE(holds(audit.out, "cleared")) << audit.out;
}

TEST_F(OperatorFaults, ASiteThatCannotKeepItsFaultGoesOnHomeAndSaysSo) {
  begin({kHome});
  const std::filesystem::directory_iterator rigs(path("state/rigs"));
  const std::filesystem::path place = rigs->path();
  std::filesystem::remove(place / "fault.room");
  std::filesystem::create_directory(place / "fault.room");
  kill_9(integrator);
  until("west-records", "FAULT");
  EXPECT_TRUE(west->says("the fault cannot be kept there")) << west->heard();
  tell({"clear", "west-records"});
  until("west-records", "HOLDING");
}

}  // namespace
}  // namespace trestle::cli
