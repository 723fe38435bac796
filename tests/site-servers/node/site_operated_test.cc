// What a person does at a site, and what its safe action and start-up checks do meanwhile.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "composition/sites/control_chain_factory.h"
#include "core/host/crash_handler.h"
#include "core/session/session_contract.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::site_operated_test {
namespace {

using testing::after;
using testing::at;
using enum session::SessionState;

const SessionId kSession{1, 2, 3};
constexpr double kStep = 0.01;

/// A spring whose load cell may be wired the wrong way, or not be zeroed.
class Rig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, real, true, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    if (broken) std::abort();
    sensed.displacement.setConstant(1, position);
    sensed.force.setConstant(1, stiffness * position + offset);
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    fastest = std::max(fastest, std::abs(drive[0] - position));
    position = drive[0];
    ++writes;
    if (!told.running) ++in_secret;
    return AdapterStatus::kOk;
  }
  void report(SiteSignals signals) noexcept override { told = signals; }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  bool real = true;
  bool broken = false;
  double stiffness = 1e6;
  double offset = 0.0;
  double position = 0.0;
  double fastest = 0.0;  ///< way of one tick
  int holds = 0;
  int writes = 0;
  SiteSignals told;   ///< last
  int in_secret = 0;  ///< drives of which the equipment was not told
};

SiteSettings site_settings(const safety::SafeAction& action,
                           const checks::StartCheckSettings& checks) {
  SiteSettings settings;
  settings.control_chain = &composition::control_chain_factory();
  settings.name = "west";
  settings.software = "0.2";
  settings.loading_frame =
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1));
  settings.limits = RigLimits(1);
  settings.limits[0].force = 5e3;
  settings.limits[0].displacement = 1.0;
  settings.limits[0].rate = 100.0;
  settings.start_checks = checks;
  settings.shares_clock = true;
  settings.safe_action = action;
  return settings;
}

safety::SafeAction home() {
  const ActuatorVector one = ActuatorVector::Ones(1);
  return {safety::SafeAction::Kind::kRampHome, 0.01 * one, 0.1 * one, one, one};
}

/// A site whose integrator is a script, under the virtual clock.
struct Bench {
  explicit Bench(ExecutionMode mode, const safety::SafeAction& action = {},
                 const checks::StartCheckSettings& checks = {})
      : node(site_settings(action, checks), rig, transport, {recorder.recording()}, clock) {
    configure.session = kSession;
    configure.test = "frame";
    configure.mode = name(mode);
    configure.time_step = kStep;
    configure.ticks_per_step = 5;
    configure.steps_planned = 1000;
    configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
    configure.heartbeat_period = 0.5;
    configure.watchdog = 2.0;
    configure.pace.rate = 0.1;
    configure.pace.average = 0.004;
  }

  void gets(const SessionMessage& message) {
    transport.arrives(0, message);
    run_until(clock.now());
  }
  void run_until(TimePoint until) {
    for (int n = 0; n < 1'000'000; ++n) {
      const TimePoint due = node.tick(clock.now());
      if (due <= clock.now()) continue;
      if (due > until) return clock.advance_to(until);
      clock.advance_to(due);
    }
    FAIL() << "it never rests";
  }
  /// With an integrator that speaks.
  void run_for(double seconds) {
    for (double done = 0.0; done < seconds; done += 0.5) {
      gets(Heartbeat{kSession});
      run_until(clock.now() + after(0.5));
    }
  }
  void arm() {
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(configure);
    gets(Arm{kSession, session::contract_hash(transport.last<Configured>().contract),
             "ada@lab"});
  }
  void start() {
    arm();
    gets(Start{kSession, clock.now()});
  }
  void step(std::int64_t number, double target) {
    StepCommand command;
    command.session = kSession;
    command.step = number;
    command.due = at(kStep * static_cast<double>(number + 1));
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    transport.arrives(0, command);
    run_until(clock.now());
  }
  std::size_t rows() const { return recorder.sinks.back().rows.size(); }

  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Rig rig;
  timing::VirtualClock clock;
  SiteNode node;
  Configure configure;
};

class SiteOperated : public ::testing::TestWithParam<ExecutionMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, SiteOperated,
                         ::testing::Values(ExecutionMode::kPseudoDynamic,
                                           ExecutionMode::kContinuous),
                         [](const auto& mode) {
                           return mode.param == ExecutionMode::kContinuous
                                      ? "Continuous"
                                      : "PseudoDynamic";
                         });

TEST_P(SiteOperated, StopsInFaultOnlyWhenTheRigIsAtRest) {
  Bench bench(GetParam(), home());
  bench.start();
  bench.step(0, 0.004);
  bench.run_for(0.5);
  bench.step(1, 0.008);
  for (int n = 0; n < 1000 && bench.node.state() != kFault; ++n)
    bench.run_until(bench.clock.now() + after(1e-3));
  ASSERT_EQ(bench.node.state(), kFault);
  bench.gets(Stop{kSession, "enough"});
  bench.gets(Stop{kSession, "enough"});
  bench.rig.fastest = 0.0;
  bench.run_for(5.0);
  EXPECT_EQ(bench.rig.position, 0.0);
  EXPECT_GE(bench.transport.sent<Stopped>(0), 1);
  EXPECT_EQ(bench.recorder.closed, 1);
  EXPECT_EQ(bench.node.state(), kFault);
}

TEST_P(SiteOperated, ReadsItsRigBeforeItIsArmedAndNeitherDrivesNorHoldsIt) {
  checks::StartCheckSettings checks;
  checks.zero_force = {200.0};
  checks.checklist = {{"grips closed", "", 0.0}};
  Bench bench(GetParam(), {}, checks);
  bench.rig.position = 1e-4;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  const Configured agreed = bench.transport.last<Configured>();
  EXPECT_EQ(agreed.checklist, checks.checklist);
  ASSERT_EQ(agreed.rest_bound.size(), 2U);
  EXPECT_EQ(agreed.rest_bound[1], 200.0);
  bench.run_for(2.0);
  ASSERT_EQ(bench.node.state(), kConfigured);
  const Health seen = bench.transport.last<Heartbeat>().health;
  ASSERT_EQ(seen.mean.size(), 2U);
  EXPECT_NEAR(seen.mean[0], 1e-4, 1e-12);
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.rig.holds, 0);
  bench.gets(Stop{kSession, "enough"});
  EXPECT_GE(bench.transport.sent<Stopped>(0), 1);
  EXPECT_EQ(bench.rig.writes, 0) << "before arming nothing moves";
}

TEST_P(SiteOperated, TellsNoReadingFromBeforeItsArming) {
  checks::StartCheckSettings checks;
  checks.polarity_motion = {1e-3};
  for (const bool checked : {false, true}) {
    Bench bench(GetParam(), {}, checked ? checks : checks::StartCheckSettings{});
    bench.gets(Welcome{kProtocolVersion, "0.1"});
    bench.gets(bench.configure);
    bench.run_for(2.0);
    ASSERT_EQ(bench.transport.last<Heartbeat>().health.mean.size(), 2U);
    bench.gets(Arm{kSession,
                   session::contract_hash(bench.transport.last<Configured>().contract),
                   "ada@lab"});
    if (!checked) bench.rig.offset = 500.0;
    bench.run_for(0.9);
    EXPECT_EQ(bench.node.state() == kArmed, !checked) << "the checks take longer";
    const Health now = bench.transport.last<Heartbeat>().health;
    ASSERT_EQ(now.mean.size(), checked ? 0U : 2U);
    if (!checked) {
      EXPECT_NEAR(now.mean[1], 500.0, 1e-9) << "one from before is in it";
    }
    bench.run_for(10.6);
    ASSERT_EQ(bench.node.state(), kArmed);
    bench.rig.offset = 500.0;
    bench.gets(Start{kSession, bench.clock.now()});
    bench.run_for(2.0);
    const Health seen = bench.transport.last<Heartbeat>().health;
    ASSERT_EQ(seen.mean.size(), 2U) << "it is read again";
    EXPECT_NEAR(seen.mean[1], 500.0, 1e-9);
  }
}

TEST_P(SiteOperated, TellsItsEquipmentBeforeTheFirstDriveOfItsStartUpChecks) {
  checks::StartCheckSettings checks;
  checks.polarity_motion = {1e-3};
  Bench bench(GetParam(), {}, checks);
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  bench.run_for(2.0);
  EXPECT_EQ(bench.rig.told, (SiteSignals{.ready = true, .running = false}));
  bench.gets(Arm{kSession,
                 session::contract_hash(bench.transport.last<Configured>().contract),
                 "ada@lab"});
  bench.run_for(11.5);
  ASSERT_EQ(bench.node.state(), kArmed);
  EXPECT_GT(bench.rig.writes, 10);
  EXPECT_EQ(bench.rig.in_secret, 0);
  EXPECT_EQ(bench.rig.told, (SiteSignals{.ready = true, .running = false}));
}

TEST_P(SiteOperated, AgreesToNoTestWhoseLimitsItsStartUpChecksDoNotFit) {
  checks::StartCheckSettings checks;
  checks.polarity_motion = {1e-3};
  Bench bench(GetParam(), {}, checks);
  bench.configure.limits = {{.displacement = 5e-4}};
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  bench.run_for(2.0);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("polarity_motion"),
            std::string::npos);
}

TEST_P(SiteOperated, SendsAPersonsMessageAndKeepsThoseOfOthersOnce) {
  Bench bench(GetParam());
  EXPECT_NE(bench.node.note("ada@lab", {.text = "hello", .to_all = true})
                .find("no test is under way"),
            std::string::npos);
  bench.start();
  const double there = bench.rig.position;
  EXPECT_EQ(bench.node.note("ada@lab", {.text = "the pump is warm", .to_all = true}), "");
  const Announcement own = bench.transport.last<Heartbeat>().said;
  EXPECT_EQ(own.by, "ada@lab");
  EXPECT_EQ(own.text, "the pump is warm");
  EXPECT_EQ(bench.node.status().said, own);
  const auto said = [&bench](const std::string& line) {
    const auto& events = bench.recorder.events;
    return std::count(events.begin(), events.end(), "said: " + line);
  };
  EXPECT_EQ(said("ada@lab: the pump is warm"), 1);
  // The integrator passes it on to all, this site included.
  Heartbeat beat{kSession};
  beat.said = {9, own.by, own.text};
  bench.gets(beat);
  EXPECT_EQ(bench.node.status().said, own);
  EXPECT_EQ(said("ada@lab: the pump is warm"), 1);
  beat.said = {10, "bob@east", "back in ten minutes"};
  bench.gets(beat);
  bench.gets(beat);
  EXPECT_EQ(bench.node.status().said, beat.said);
  EXPECT_EQ(bench.node.status().said, beat.said);
  EXPECT_EQ(said("bob@east: back in ten minutes"), 1);
  beat.session = {9, 9, 9};  // of another test
  beat.said = {11, "eve", "stop all pumps"};
  bench.gets(beat);
  EXPECT_EQ(bench.node.status().said.by, "bob@east");
  EXPECT_EQ(bench.rig.position, there);
}

TEST_P(SiteOperated, RecordsNotThousandsOfMessagesOfOthers) {
  Bench bench(GetParam());
  bench.start();
  Heartbeat beat{kSession};
  for (int n = 1; n <= 1000; ++n) {
    beat.said = {n, "eve", "message " + std::to_string(n)};
    bench.transport.arrives(0, beat);
  }
  bench.node.tick(bench.clock.now());
  const auto& events = bench.recorder.events;
  EXPECT_EQ(
      std::count_if(events.begin(), events.end(),
                    [](const std::string& event) { return event.starts_with("said: "); }),
      16);
  EXPECT_EQ(bench.node.status().said.text, "message 16");
}

TEST_P(SiteOperated, ForgetsTheMessagesOfAnEarlierTest) {
  Bench bench(GetParam());
  bench.start();
  Heartbeat beat{kSession};
  beat.said = {9, "bob@east", "I am in the cage"};
  bench.gets(beat);
  EXPECT_EQ(bench.node.status().said, beat.said);
  bench.gets(Stop{kSession, "enough"});
  bench.run_for(5.0);
  bench.configure.session = {4, 5, 6};
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  bench.gets(Heartbeat{bench.configure.session});
  EXPECT_EQ(bench.node.status().session, "04050600000000000000000000000000");
  EXPECT_EQ(bench.node.status().said.number, 0);
}

TEST_P(SiteOperated, SaysThatALoadAboveItsLimitIsToBeTakenOffBeforeAFaultCanBeCleared) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.004);
  bench.run_for(0.5);
  bench.step(1, 0.008);
  for (int n = 0; n < 1000 && bench.node.state() != kFault; ++n)
    bench.run_until(bench.clock.now() + after(1e-3));
  ASSERT_EQ(bench.node.state(), kFault);
  const auto needs = [&bench] {
    return bench.node.status().waits.at(0).what;
  };
  EXPECT_NE(needs().find("the force to be below its limit"), std::string::npos) << needs();
  EXPECT_NE(bench.node.clear("ada@lab").find("still in fault"), std::string::npos);
  EXPECT_EQ(bench.node.state(), kFault);
  bench.run_for(0.5);
  EXPECT_EQ(bench.node.state(), kFault);
  EXPECT_NE(needs().find("servo controller"), std::string::npos) << needs();
  bench.rig.offset = -4e3;  // the load was taken off
  EXPECT_EQ(bench.node.clear("ada@lab"), "");
  bench.run_for(0.5);
  EXPECT_EQ(bench.node.state(), kHolding);
}

TEST_P(SiteOperated, TellsTheIntegratorWhetherAPersonHoldsOrEndsTheTest) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.001);
  EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
  EXPECT_EQ(bench.node.state(), kHolding);
  Halt halt = bench.transport.last<Halt>();
  EXPECT_FALSE(halt.fault);
  EXPECT_EQ(halt.by, "ada@lab");
  EXPECT_EQ(halt.reason, "held by ada@lab: a crack");
  EXPECT_EQ(bench.node.hold("bob@lab", "a noise"), "");
  halt = bench.transport.last<Halt>();
  EXPECT_FALSE(halt.fault);
  EXPECT_EQ(halt.by, "bob@lab") << "a resume that waits for another site is withdrawn";
  EXPECT_EQ(bench.node.stop("ada@lab", ""), "");
  halt = bench.transport.last<Halt>();
  EXPECT_EQ(halt.fault.kind, FaultKind::kStopped);
  EXPECT_EQ(halt.by, "ada@lab");
}

TEST_P(SiteOperated, EndsATestWhoseIntegratorIsGoneWhereAPersonSaysSo) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.001);
  bench.run_until(bench.clock.now() + after(3.0));
  ASSERT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.node.stop("ada@lab", "it will not come back"), "");
  bench.run_until(bench.clock.now() + after(5.0));
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.position, 0.0);
  bench.configure.session = {7};
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.last<Configured>().session, SessionId{7});
}

/// It died in the same second: nobody else has heard the person.
TEST_P(SiteOperated, EndsATestWhoseIntegratorDiedBeforeItHeardOfTheStop) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.001);
  EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
  ASSERT_EQ(bench.node.state(), kHolding);
  const NodeStatus status = bench.node.status();
  EXPECT_EQ(status.reason, "stopped by ada@lab: enough");
  ASSERT_FALSE(status.waits.empty());
  EXPECT_NE(status.waits[0].then.find("moves to its safe position"), std::string::npos)
      << status.waits[0].then;
  EXPECT_LT(status.waits[0].until, 10.0);
  bench.run_until(bench.clock.now() + after(8.0));
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.position, 0.0);
}

TEST_P(SiteOperated, TakesNoResumeAfterAPersonHasStoppedIt) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.001);
  EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
  const int asked = bench.transport.sent<Halt>(0);
  const Resume resume{bench.configure.session, 1, bench.clock.now(), {}, "bob@lab"};
  for (const int again : {1, 2}) {
    bench.gets(resume);
    EXPECT_EQ(bench.transport.sent<Halt>(0), asked + again) << "the first was lost";
    EXPECT_EQ(bench.transport.last<Halt>().by, "ada@lab");
    EXPECT_EQ(bench.node.state(), kHolding);
  }
  bench.run_until(bench.clock.now() + after(5.0));
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.position, 0.0);
}

/// It was silent when the person stopped the test, and comes back while the rig moves home.
TEST_P(SiteOperated, IsNotResumedByAnIntegratorThatWasSilentAtTheStop) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.004);
  bench.run_until(bench.clock.now() + after(3.0));
  ASSERT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
  ASSERT_EQ(bench.node.state(), kStopping);
  EXPECT_EQ(bench.node.reason(), "stopped by ada@lab: enough");
  bench.configure.resume = true;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.node.state(), kStopping) << bench.node.reason();
  EXPECT_EQ(bench.transport.last<Halt>().by, "ada@lab");
  bench.gets(Resume{bench.configure.session, 1, bench.clock.now(), {}, "bob@lab"});
  EXPECT_EQ(bench.node.state(), kStopping);
  bench.run_until(bench.clock.now() + after(5.0));
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.position, 0.0);
}

/// An integrator that has not heard the person holds what it takes for a running test.
TEST_P(SiteOperated, ContinuesToItsSafePositionWhereNoPersonHoldsIt) {
  for (const bool person : {false, true}) {
    Bench bench(GetParam(), home());
    bench.start();
    bench.step(0, 0.004);
    EXPECT_EQ(bench.node.stop("ada@lab", "enough"), "");
    bench.run_until(bench.clock.now() + after(2.1));
    ASSERT_EQ(bench.node.state(), kStopping) << bench.node.reason();
    bench.gets(Halt{bench.configure.session,
                    "integrator",
                    {},
                    0,
                    "it refuses",
                    person ? "bob@lab" : ""});
    EXPECT_EQ(bench.node.state(), person ? kHolding : kStopping);
    bench.gets(Resume{bench.configure.session, 1, bench.clock.now(), {}, "bob@lab"});
    EXPECT_NE(bench.node.state(), kRunning);
    bench.run_until(bench.clock.now() + after(9.0));
    EXPECT_EQ(bench.node.state(), person ? kHolding : kConfigured) << bench.node.reason();
  }
}

TEST_P(SiteOperated, SaysWhoWasSilentAndSinceWhenItStandsInFault) {
  Bench bench(GetParam(), home());
  bench.start();
  bench.step(0, 0.004);
  bench.run_until(bench.clock.now() + after(2.1));
  ASSERT_EQ(bench.node.state(), kFault);
  const std::string silent = "the integrator is silent: no valid message for 2";
  EXPECT_EQ(bench.node.reason().substr(0, silent.size()), silent) << bench.node.reason();
  // A new message does not change the age of the fault.
  bench.run_for(3.0);
  EXPECT_GT(bench.node.status().waits.at(0).since, 2.7);  // by its last tick
}

/// SIGSTOP, or a host without time for it. Whether a word of the integrator waits for it or
/// not: it was not the integrator that was silent.
TEST_P(SiteOperated, SaysThatItWasItselfStoppedAndNotThatTheIntegratorWasSilent) {
  for (const bool ramps_home : {false, true})
    for (const bool heard : {false, true}) {
      Bench bench(GetParam(), ramps_home ? home() : safety::SafeAction{});
      bench.start();
      bench.step(0, 0.004);
      bench.run_for(1.0);
      bench.clock.advance_to(bench.clock.now() + after(10.0));
      if (heard) bench.transport.arrives(0, Heartbeat{kSession});
      bench.run_until(bench.clock.now());
      ASSERT_EQ(bench.node.state(), ramps_home ? kFault : kHolding);
      const std::string own =
          "the process of this site did not run for 10 s (it was stopped";
      EXPECT_EQ(bench.node.reason().substr(0, own.size()), own) << bench.node.reason();
      EXPECT_EQ(bench.node.reason().find("integrator"), std::string::npos)
          << bench.node.reason();
    }
}

/// A stop that was over before the integrator fell silent is not the reason.
TEST_P(SiteOperated, SaysThatTheIntegratorIsSilentAlthoughItWasStoppedBefore) {
  Bench bench(GetParam());
  bench.start();
  bench.step(0, 0.004);
  bench.run_for(1.0);
  bench.clock.advance_to(bench.clock.now() + after(1.4));  // the watchdog allows 2 s
  bench.run_for(0.5);
  ASSERT_EQ(bench.node.state(), kRunning);
  bench.run_until(bench.clock.now() + after(2.1));
  ASSERT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.node.reason().find("the integrator "), 0U) << bench.node.reason();
}

TEST_P(SiteOperated, SaysWhatItWaitsForSinceWhenAndUntilWhen) {
  Bench bench(GetParam());
  bench.start();
  bench.run_for(1.0);
  PendingWait wait = bench.node.status().waits.at(0);
  EXPECT_EQ(wait.whom, "the integrator");
  EXPECT_EQ(wait.what, "step 0");
  EXPECT_NEAR(wait.since, 1.0, 0.02);
  EXPECT_NEAR(wait.until, 1.5, 0.02);
  EXPECT_EQ(wait.then, "the site holds by itself");
  bench.step(0, 0.001);
  wait = bench.node.status().waits.at(0);
  EXPECT_EQ(wait.whom, "its rig");
  EXPECT_EQ(wait.what, "step 0, which is under way");
  bench.run_for(0.5);
  EXPECT_EQ(bench.node.status().waits.at(0).what, "step 1");
  bench.gets(Halt{kSession, "east", {}, 0, "force"});
  bench.run_for(2.0);
  wait = bench.node.status().waits.at(0);
  EXPECT_EQ(wait.what, "its word to go on or to stop");
  EXPECT_NEAR(wait.since, 2.0, 0.02);
}

checks::StartCheckSettings looks() {
  return {{1e-3}, {100.0}, {2e-4}};
}

TEST_P(SiteOperated, IsNotArmedWithALoadCellThatIsWiredTheWrongWay) {
  Bench bench(GetParam(), {}, looks());
  bench.rig.stiffness = -1e6;
  bench.arm();
  bench.run_for(20.0);
  EXPECT_EQ(bench.transport.sent<Armed>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("sign"), std::string::npos)
      << bench.transport.last<Rejection>().reason;
  EXPECT_LT(std::abs(bench.rig.position), 2.1e-4);
}

TEST_P(SiteOperated, IsNotArmedWithALoadCellThatIsNotZeroed) {
  Bench bench(GetParam(), {}, looks());
  bench.rig.offset = 300.0;
  bench.arm();
  bench.run_for(20.0);
  EXPECT_EQ(bench.transport.sent<Armed>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("0.3 kN at rest"),
            std::string::npos)
      << bench.transport.last<Rejection>().reason;
}

TEST_P(SiteOperated, EndsItsChecksWhenTheTestIsStopped) {
  Bench bench(GetParam(), {}, looks());
  bench.arm();
  bench.run_until(bench.clock.now() + after(1.0));
  ASSERT_GT(bench.rig.position, 0.0) << "it looks at the sign of the force";
  const double there = bench.rig.position;
  bench.gets(Stop{kSession, "enough"});
  bench.run_until(bench.clock.now() + after(3.0));
  EXPECT_EQ(bench.rig.position, there);
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 1);
}

TEST(SiteOperatedDeath, TellsTheRigToHoldWhenTheControlThreadDies) {
  const auto die = [] {
    Bench bench(ExecutionMode::kPseudoDynamic);
    const host::CrashHandler words(
        [](void* rig) noexcept {
          static_cast<Rig*>(rig)->hold();
          const char said[] = "the rig was told to hold\n";
          [[maybe_unused]] const auto count = write(2, said, sizeof said - 1);
        },
        &bench.rig);
    bench.start();
    bench.rig.broken = true;
    bench.step(0, 0.001);
    bench.run_for(1.0);
  };
  EXPECT_DEATH(die(), "the rig was told to hold");
}

TEST(SiteOperated, BeginsInTheFaultThatNobodyHasCleared) {
  Rig rig;
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder(false);
  timing::VirtualClock clock;
  SiteSettings settings = site_settings({}, {});
  settings.earlier.fault = "force 9 kN at actuator 1 is above its limit 5 kN";
  SiteNode node(std::move(settings), rig, transport, {recorder.recording()}, clock);
  EXPECT_EQ(node.state(), session::SessionState::kFault);
  Configure configure;
  configure.session = kSession;
  transport.arrives(0, SessionMessage{configure});
  node.tick(clock.now());
  EXPECT_NE(transport.last<Rejection>().reason.find("force 9 kN at actuator 1"),
            std::string::npos);
  EXPECT_EQ(transport.sent<Halt>(0), 0);
  // A refusal alone would tell an integrator that comes to end a test that nothing is left.
  configure.resume = true;
  transport.arrives(0, SessionMessage{configure});
  node.tick(clock.now());
  ASSERT_EQ(transport.sent<Halt>(0), 1);
  EXPECT_EQ(transport.last<Halt>().session, kSession);
  EXPECT_TRUE(transport.last<Halt>().fault);
  EXPECT_EQ(transport.last<Halt>().reason, node.reason());
  EXPECT_EQ(node.clear("ada@lab"), "");
  EXPECT_NE(node.state(), session::SessionState::kFault);
  EXPECT_EQ(node.reason(), "");
}

}  // namespace
}  // namespace trestle::site_node::site_operated_test
