// What a site takes from a test: which limits its rig needs, which targets and which times
// it accepts, and what it does with words that come while it looks at its rig.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "composition/sites/control_chain_factory.h"
#include "core/session/session_contract.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::site_limits_test {
namespace {

using testing::after;
using testing::at;
using enum session::SessionState;

const SessionId kSession{1, 2, 3};
const SessionId kNext{4, 5, 6};
constexpr double kStep = 0.01;
constexpr double kStiffness = 1e5;

/// Two actuators on springs.
class Rig final : public SiteAdapter {
 public:
  explicit Rig(bool real) : real_(real) {}
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}, {"2", DofKind::kTranslation}}, real_, true, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement = position;
    sensed.force = kStiffness * position;
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    if (drive != position) ++motions;
    position = drive;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorVector position = ActuatorVector::Zero(2);
  int motions = 0;
  int holds = 0;

 private:
  bool real_;
};

ActuatorLimits whole(double displacement = 0.03) {
  ActuatorLimits limits;
  limits.displacement = displacement;
  limits.rate = 10.0;
  limits.force = 1e6;
  return limits;
}

/// The frame leans: actuators 1 and 2 at x + rz/2 and x − rz/2.
SiteSettings settings_of(const RigLimits& limits) {
  Eigen::MatrixXd lean(2, 2);
  lean << 1.0, 0.5, 1.0, -0.5;
  SiteSettings settings;
  settings.control_chain = &composition::control_chain_factory();
  settings.name = "west";
  settings.software = "0.2";
  settings.loading_frame = std::make_unique<kinematics::MatrixFrame>(lean);
  settings.limits = limits;
  settings.limit_place = [](const std::string& field) {
    return "site_west.yaml: " + field;
  };
  settings.shares_clock = true;
  return settings;
}

/// A site whose integrator is a script.
struct Bench {
  explicit Bench(ExecutionMode with, bool real = false,
                 SiteSettings settings = settings_of({whole(), whole()}))
      : mode(with),
        rig(real),
        node(std::move(settings), rig, transport, {recorder.recording()}, clock) {
    configure.session = kSession;
    configure.test = "frame";
    configure.mode = name(mode);
    configure.time_step = kStep;
    configure.ticks_per_step = 5;
    configure.steps_planned = 1000;
    configure.layout = {{.name = "floor.x"},
                        {.name = "floor.rz", .kind = DofKind::kRotation}};
    configure.heartbeat_period = 0.5;
    configure.watchdog = 5.0;
    configure.pace.latency_steps = mode == ExecutionMode::kRealTime ? 1 : 0;
    configure.pace.rate = 0.1;
    configure.pace.settle = 0.01;
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
  void run_for(double seconds) { run_until(clock.now() + after(seconds)); }
  /// @returns why not; empty: it is configured
  std::string agree() {
    gets(Welcome{kProtocolVersion, "0.1"});
    const int before = transport.sent<Rejection>(0);
    gets(configure);
    return transport.sent<Rejection>(0) > before ? refusal() : std::string();
  }
  void arm() {
    ASSERT_EQ(agree(), "");
    gets(Arm{kSession, session::contract_hash(transport.last<Configured>().contract),
             "ada@lab"});
  }
  void start() {
    arm();
    zero = clock.now();
    gets(Start{kSession, zero});
    ASSERT_EQ(node.state(), kRunning);
  }
  StepCommand step(double x, double rz = 0.0) const {
    StepCommand command;
    command.session = kSession;
    command.due = zero + after(kStep);
    command.target = InterfaceMotion::zero(2);
    command.target.displacement << x, rz;
    return command;
  }
  void gets(const StepCommand& command) {
    transport.arrives(0, command);
    run_until(clock.now());
  }
  std::string refusal() const { return transport.last<Rejection>().reason; }

  ExecutionMode mode;
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Rig rig;
  timing::VirtualClock clock;
  SiteNode node;
  Configure configure;
  TimePoint zero{};
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// ---- which limits real equipment needs

TEST(SiteLimits, RealEquipmentNeedsDisplacementRateAndForceOfEachActuator) {
  ActuatorLimits no_rate = whole();
  no_rate.rate = ActuatorLimits::kNone;
  ActuatorLimits none;
  ActuatorLimits absurd = whole();
  absurd.displacement = 101.0;
  absurd.rate = 1001.0;
  absurd.force = 1e29;
  for (const auto& [limits, missing] : std::vector<std::pair<RigLimits, std::string>>{
           {{},
            "actuator 1 has no limit of displacement, rate, force; actuator 2 has no "
            "limit of displacement, rate, force"},
           {{whole(), no_rate}, "actuator 2 has no limit of rate"},
           {{none, whole()}, "actuator 1 has no limit of displacement, rate, force"},
           {{absurd, whole()},
            "actuator 1 has no limit of displacement (101 m is none: at most 100 m), rate "
            "(1001 m/s is none: at most 1000 m/s), force (1e+29 N is none: at most 1e+09 "
            "N)"}}) {
    Bench bench(ExecutionMode::kPseudoDynamic, true, settings_of(limits));
    EXPECT_EQ(bench.agree().substr(0, missing.size() + 30),
              "it is real equipment, and " + missing + "; st");
    EXPECT_FALSE(bench.node.state() == kConfigured);
    EXPECT_EQ(bench.recorder.opened, 0);
    Bench simulated(ExecutionMode::kPseudoDynamic, false, settings_of(limits));
    EXPECT_EQ(simulated.agree(), "");
  }
}

TEST(SiteLimits, LimitsOfTheTestDoForRealEquipmentToo) {
  Bench bench(ExecutionMode::kPseudoDynamic, true, settings_of({}));
  bench.configure.limits = {whole(), whole()};
  EXPECT_EQ(bench.agree(), "");
}

TEST(SiteLimits, WhoAnswersForEquipmentWithoutLimitsIsInTheAudit) {
  SiteSettings settings = settings_of({whole()});
  settings.limits.emplace_back();
  settings.without_limits = WithoutLimits{"Ada Lovelace", "the pump is throttled by hand"};
  Bench bench(ExecutionMode::kPseudoDynamic, true, std::move(settings));
  EXPECT_EQ(bench.agree(), "");
  const auto found =
      std::find_if(bench.recorder.audits.begin(), bench.recorder.audits.end(),
                   [](const AuditEntry& entry) { return entry.what == "override"; });
  ASSERT_NE(found, bench.recorder.audits.end());
  EXPECT_EQ(found->who, "Ada Lovelace");
  EXPECT_EQ(found->text,
            "arming.without_limits: actuator 2 has no limit of displacement, rate, force; "
            "the pump is throttled by hand");
}

// ---- which targets

class SiteTargets : public ::testing::TestWithParam<ExecutionMode> {};
INSTANTIATE_TEST_SUITE_P(
    Modes, SiteTargets,
    ::testing::Values(ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic,
                      ExecutionMode::kContinuous, ExecutionMode::kRealTime),
    [](const auto& mode) {
      return std::string(name(mode.param)) == "pseudo-dynamic" ? "PseudoDynamic"
             : mode.param == ExecutionMode::kRealTime          ? "RealTime"
                                                               : name(mode.param);
    });

TEST_P(SiteTargets, BeyondAnActuatorAreRefusedAndNothingMoves) {
  for (const bool real : {false, true}) {
    if (real && GetParam() == ExecutionMode::kSimulated) continue;
    Bench bench(GetParam(), real);
    bench.start();
    // 25 mm and 20 mrad: 35 mm of actuator 1, whose limit is 30 mm.
    bench.gets(bench.step(0.025, 0.020));
    EXPECT_EQ(bench.refusal(),
              "the target would take actuator 1 to 35 mm, above its limit 30 mm (site "
              "limit, site_west.yaml: actuators[0].displacement) at step 0. A resume sends "
              "the same target again, so the test cannot go on: stop it");
    const Fault fault = bench.transport.last<Rejection>().fault;
    EXPECT_EQ(fault.kind, FaultKind::kDisplacementLimit);
    EXPECT_EQ(fault.index, 0);
    bench.gets(bench.step(-0.025, 0.020));
    EXPECT_TRUE(has(bench.refusal(), "actuator 2 to 35 mm")) << bench.refusal();
    bench.run_for(0.5);
    EXPECT_EQ(bench.rig.motions, 0);
    EXPECT_EQ(bench.node.state(), kRunning) << "nothing is latched";
  }
}

TEST_P(SiteTargets, AtTheLimitAreFollowed) {
  Bench bench(GetParam());
  bench.start();
  const int refused = bench.transport.sent<Rejection>(0);
  bench.gets(bench.step(0.03));
  bench.run_for(1.0);
  EXPECT_EQ(bench.transport.sent<Rejection>(0), refused);
}

TEST(SiteTargets, AreJudgedWithTheCommandThatIsFedForward) {
  for (const ExecutionMode mode : {ExecutionMode::kSimulated, ExecutionMode::kRealTime}) {
    Bench bench(mode);
    bench.start();
    // The whole target is fed forward, by a command that leads it by 15 mm.
    StepCommand leads = bench.step(0.02);
    leads.feedforward_target = leads.target;
    leads.command_feedforward = leads.target.displacement;
    leads.command_feedforward[0] += 0.015;
    bench.gets(leads);
    EXPECT_TRUE(has(bench.refusal(), "would take actuator 1 to 35 mm")) << bench.refusal();
    bench.run_for(0.5);
    EXPECT_EQ(bench.rig.motions, 0);
    leads.command_feedforward[0] -= 0.010;
    const int refused = bench.transport.sent<Rejection>(0);
    bench.gets(leads);
    EXPECT_EQ(bench.transport.sent<Rejection>(0), refused) << bench.refusal();
  }
}

TEST(SiteTargets, AreRehearsedBeforeArming) {
  Bench bench(ExecutionMode::kPseudoDynamic, true);
  bench.arm();
  EXPECT_EQ(bench.node.state(), kArmed);
}

// ---- which times

TEST(SiteTimes, LongerThanTheSitesOwnAreRefusedWithNumberAndMaximum) {
  const auto why = [](ExecutionMode mode, const auto& spoil) {
    SiteSettings settings = settings_of({});
    settings.longest = {.watchdog = 60.0,
                        .heartbeat = 30.0,
                        .step = 600.0,
                        .settle = 600.0,
                        .average = 60.0,
                        .latency = 10.0,
                        .ahead = 60.0};
    Bench bench(mode, false, std::move(settings));
    spoil(bench.configure);
    return bench.agree();
  };
  const auto most = [](const std::string& what, const std::string& longest,
                       const std::string& key) {
    return what + "; this site takes at most " + longest + " (longest." + key +
           " in its file); shorten it in the test, or ask the laboratory";
  };
  EXPECT_EQ(why(ExecutionMode::kSimulated, [](Configure& c) { c.watchdog = 1e6; }),
            most("the watchdog of the test is 1e+06 s", "60 s", "watchdog"));
  EXPECT_EQ(why(ExecutionMode::kSimulated, [](Configure& c) { c.watchdog = 60.0; }), "");
  EXPECT_EQ(why(ExecutionMode::kSimulated,
                [](Configure& c) {
                  c.watchdog = 50.0;
                  c.heartbeat_period = 40.0;
                }),
            most("the heartbeat's period of the test is 40 s", "30 s", "heartbeat"));
  EXPECT_EQ(why(ExecutionMode::kContinuous,
                [](Configure& c) {
                  c.pace.scale = 1e5;
                  c.ticks_per_step = 10000;
                }),
            most("a step of the test takes 1000 s", "600 s", "step"));
  EXPECT_EQ(why(ExecutionMode::kSimulated, [](Configure& c) { c.time_step = 1000.0; }), "")
      << "virtual time";
  EXPECT_EQ(
      why(ExecutionMode::kPseudoDynamic, [](Configure& c) { c.pace.settle = 3600.0; }),
      most("the test settles for 3600 s", "600 s", "settle"));
  EXPECT_EQ(why(ExecutionMode::kPseudoDynamic, [](Configure& c) { c.pace.average = 61.0; }),
            most("the test averages for 61 s", "60 s", "average"));
  EXPECT_EQ(why(ExecutionMode::kRealTime,
                [](Configure& c) {
                  c.time_step = 1.0;
                  c.pace.latency_steps = 11;
                }),
            most("the latency of the test is 11 s", "10 s", "latency"));
}

TEST(SiteTimes, ABeginningAndATargetFarAheadAreRefused) {
  SiteSettings settings = settings_of({whole(), whole()});
  settings.longest.ahead = 60.0;
  Bench bench(ExecutionMode::kContinuous, false, std::move(settings));
  bench.arm();
  bench.gets(Start{kSession, bench.clock.now() + after(3600.0)});
  EXPECT_TRUE(has(bench.refusal(),
                  "the run would begin in 3600 s; this site takes at "
                  "most 60 s (longest.ahead in its file)"))
      << bench.refusal();
  EXPECT_EQ(bench.node.state(), kArmed);
  bench.zero = bench.clock.now();
  bench.gets(Start{kSession, bench.zero});
  StepCommand far = bench.step(0.01);
  far.due = bench.zero + after(1800.0);
  bench.gets(far);
  EXPECT_TRUE(has(bench.refusal(),
                  "step 0 would be reached in 1799.99 s; this site takes "
                  "at most 60 s"))
      << bench.refusal();
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.motions, 0);
  far.due = bench.zero + after(kStep);
  bench.gets(far);
  bench.run_for(0.5);
  EXPECT_EQ(bench.node.last_step(), 0);
}

// ---- while it looks at its rig

SiteSettings looking() {
  SiteSettings settings = settings_of({whole(), whole()});
  settings.start_checks = {{}, {}, {2e-3, 2e-3}};
  return settings;
}

struct Looking : Bench {
  Looking() : Bench(ExecutionMode::kPseudoDynamic, true, looking()) {
    arm();
    run_for(1.9);
    EXPECT_GT(rig.position[0], 1e-3) << "it moves for its start-up checks";
    holds = rig.holds;
  }
  /// It was told to hold, and moves no more.
  void expect_held() {
    const ActuatorVector there = rig.position;
    EXPECT_GT(rig.holds, holds);
    gets(Heartbeat{kSession});
    run_for(2.0);
    EXPECT_EQ(rig.position, there);
    EXPECT_EQ(transport.sent<Armed>(0), 0);
  }
  int holds = 0;
};

TEST(SiteChecks, AnotherTestHasToWaitForTheirEnd) {
  Looking bench;
  bench.configure.session = kNext;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.refusal(),
            "it looks at its rig (start-up checks) for test frame; ask again when that is "
            "over");
  // They go on, to their end.
  for (int n = 0; n < 40 && bench.transport.sent<Armed>(0) == 0; ++n) {
    bench.gets(Heartbeat{kSession});
    bench.run_for(0.5);
  }
  EXPECT_EQ(bench.node.state(), kArmed);
  EXPECT_LT(bench.rig.position.cwiseAbs().maxCoeff(), 1e-9) << "back where it was";
}

TEST(SiteChecks, EndInAHoldWhereAPersonAtTheSiteStops) {
  Looking bench;
  EXPECT_EQ(bench.node.stop("ada@lab", "a leak"), "");
  bench.expect_held();
}

TEST(SiteChecks, EndInAHoldWhereAPersonAtTheSiteHolds) {
  Looking bench;
  EXPECT_EQ(bench.node.hold("ada@lab", "a leak"), "");
  EXPECT_EQ(bench.transport.last<Halt>().by, "ada@lab");
  EXPECT_EQ(bench.transport.last<Halt>().reason, "held by ada@lab: a leak");
  EXPECT_FALSE(bench.transport.last<Halt>().fault);
  bench.expect_held();
}

// The integrator repeats its Arm until it hears of the hold, or of the stop.
TEST(SiteChecks, AreNotBegunAgainByAnArmThatIsRepeated) {
  for (const bool stops : {false, true}) {
    Looking bench;
    EXPECT_EQ(
        stops ? bench.node.stop("ada@lab", "a leak") : bench.node.hold("ada@lab", "a leak"),
        "");
    bench.run_for(1.0);
    const int halts = bench.transport.sent<Halt>(0);
    const ActuatorVector there = bench.rig.position;
    bench.arm();
    EXPECT_GT(bench.transport.sent<Halt>(0), halts) << "it is told once more";
    bench.run_for(1.0);
    EXPECT_EQ(bench.rig.position, there);
    EXPECT_EQ(bench.transport.sent<Armed>(0), 0);
  }
}

TEST(SiteChecks, EndInAHoldWhereTheProgramIsToldToEnd) {
  Looking bench;
  bench.node.leave("ada@lab", "signal", "SIGTERM");
  bench.expect_held();
}

TEST(SiteChecks, EndInAHoldWhereTheIntegratorIsSilent) {
  Looking bench;
  bench.run_for(6.0);
  EXPECT_GT(bench.rig.holds, bench.holds);
}

// ---- what a peer may fill

TEST(SiteFlood, OfWordsThatMeanNothingIsSummedInTheRecord) {
  Bench bench(ExecutionMode::kPseudoDynamic);
  bench.start();
  bench.recorder.events.clear();
  const auto flood = [&bench](int count) {
    for (int n = 0; n < count; ++n) {
      ReceivedMessage noise;
      noise.kind = ReceivedMessage::Kind::kMalformed;
      noise.problem = "no Envelope";
      bench.transport.waiting.push_back(noise);
      StepCommand foreign = bench.step(0.0);
      foreign.session = kNext;
      bench.transport.arrives(0, foreign);
      StepCommand early = bench.step(0.0);
      early.step = 7;
      bench.transport.arrives(0, early);
    }
  };
  for (int second = 0; second < 12; ++second) {
    flood(250);
    bench.gets(Heartbeat{kSession});
    bench.run_for(1.0);
  }
  EXPECT_EQ(bench.node.state(), kRunning);
  const auto told = [&bench](const std::string& kind) {
    return std::count_if(bench.recorder.events.begin(), bench.recorder.events.end(),
                         [&kind](const std::string& e) { return e.starts_with(kind); });
  };
  for (const char* kind : {"malformed", "ignored", "refused"}) {
    EXPECT_GE(told(kind), 17) << kind;
    EXPECT_LE(told(kind), 40) << kind;
  }
  const auto sum = std::find_if(
      bench.recorder.events.begin(), bench.recorder.events.end(), [](const std::string& e) {
        return e.starts_with("malformed") && has(e, " more within ");
      });
  ASSERT_NE(sum, bench.recorder.events.end());
  EXPECT_TRUE(has(*sum, "the first: no Envelope")) << *sum;
}

// ---- what is late

TEST(SiteLateness, OfASimulatedRigIsCountedAndToldAndNoFault) {
  for (const bool real : {false, true}) {
    Bench bench(ExecutionMode::kPseudoDynamic, real);
    bench.start();
    // Another program uses the processor: every tick is late by more than its length.
    bench.transport.arrives(0, bench.step(0.02));
    for (int n = 0; n < 200; ++n) {
      bench.transport.arrives(0, SessionMessage{Heartbeat{kSession}});
      const TimePoint due = bench.node.tick(bench.clock.now());
      bench.clock.advance_to(std::max(due, bench.clock.now() + after(5e-3)));
    }
    EXPECT_EQ(bench.node.state(), real ? kFault : kRunning) << bench.node.reason();
    if (real) continue;
    bench.gets(Stop{kSession, "complete"});
    bench.run_for(5.0);
    EXPECT_GT(bench.transport.last<Stopped>().pace.overruns, 20);
    const auto said = std::find_if(
        bench.recorder.events.begin(), bench.recorder.events.end(),
        [](const std::string& e) { return has(e, "control ticks came too late"); });
    EXPECT_NE(said, bench.recorder.events.end());
  }
}

}  // namespace
}  // namespace trestle::site_node::site_limits_test
