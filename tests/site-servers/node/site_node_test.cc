#include "site-servers/node/site_node.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/kinematics/coupler_frame.h"
#include "core/kinematics/matrix_frame.h"
#include "core/session/contract.h"
#include "core/timing/virtual_clock.h"
#include "core/types/setting_error.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum SessionState;

const SessionId kSession{1, 2, 3};
const SessionId kOther{9};

/// An ideal rig of one actuator on a spring that counts its motions.
class Rig final : public SiteAdapter {
 public:
  explicit Rig(bool real = false) : real_(real) {}
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, real_, false, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {
    if (refuses) throw std::runtime_error("the pump is off");
    ++prepared;
  }
  AdapterStatus read(TimePoint /*now*/, Sensed& sensed) noexcept override {
    sensed.displacement = position;
    sensed.force = 1e6 * position;
    return status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    position = drive;
    ++motions;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorVector position = ActuatorVector::Zero(1);
  AdapterStatus status = AdapterStatus::kOk;
  bool refuses = false;
  int prepared = 0;
  int motions = 0;
  int holds = 0;

 private:
  bool real_;
};

Configure configure_message(const SessionId& session = kSession) {
  Configure configure;
  configure.session = session;
  configure.test = "frame";
  configure.mode = "simulated";
  configure.time_step = 0.01;
  configure.ticks_per_step = 2;
  configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
  configure.heartbeat_period = 0.5;
  configure.watchdog = 5.0;
  return configure;
}

/// One record of three bytes, of kSession.
class Records final : public RecordSource {
 public:
  Chunk piece(const Fetch& fetch) override {
    ++asked;
    return {fetch.session, fetch.offset, 3, fetch.offset == 0 ? "abc" : "",
            fetch.session == kSession ? "" : "no such session"};
  }
  int asked = 0;
};

/// A site whose integrator is a script.
struct Bench {
  explicit Bench(bool real = false, const RigLimits& limits = {})
      : rig(real),
        node({.name = "west",
              .software = "0.2",
              .loading_frame = std::make_unique<MatrixFrame>(MatrixFrame::identity(1)),
              .limits = limits,
              .limit_place = {},
              .target_limits = {{"x", 0.05}}},
             rig, transport, recorder, &records, clock) {}

  template <typename Message>
  void gets(const Message& message) {
    if constexpr (std::is_same_v<Message, StepCommand>)
      transport.arrives(0, message);
    else
      transport.arrives(0, SessionMessage{message});
    tick();
  }
  Configure wanted(const SessionId& session) const {
    Configure configure = configure_message(session);
    if (!rig.description().real_equipment) return configure;
    configure.mode = name(Mode::kPseudoDynamic);
    configure.pace.rate = 0.1;
    configure.pace.settle = 0.01;
    configure.pace.average = 0.004;
    return configure;
  }
  void tick(Duration later = milliseconds(1)) { node.tick(now += later); }
  void run(const SessionId& session = kSession) {
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(wanted(session));
    gets(Arm{session, contract_hash(transport.last<Configured>().contract), "ada@lab"});
    gets(Start{session});
  }
  StepCommand step(std::int64_t number, double target = 0.01) const {
    StepCommand command;
    command.session = kSession;
    command.step = number;
    command.target = Target::zero(1);
    command.target.displacement[0] = target;
    return command;
  }
  void settle() {
    for (int i = 0; i < 1000 && node.state() == kStopping; ++i) tick();
  }
  std::string refusal() const { return transport.last<Refusal>().reason; }
  int refusals() const { return transport.sent<Refusal>(0); }

  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Records records;
  Rig rig;
  VirtualClock clock;
  SiteNode node;
  TimePoint now{};
};

TEST(SiteNode, FollowsATestFromHelloToRest) {
  Bench bench;
  bench.tick();
  EXPECT_EQ(bench.transport.last<Hello>().site.name, "west");
  bench.run();
  ASSERT_EQ(bench.transport.responses.size(), 1U);
  EXPECT_EQ(bench.transport.responses[0].step, kOpeningStep);
  EXPECT_EQ(bench.rig.motions, 0) << "the opening read comes before any motion";
  for (int k = 0; k < 3; ++k) bench.gets(bench.step(k));
  EXPECT_EQ(bench.transport.responses.back().step, 2);
  EXPECT_EQ(bench.transport.responses.back().measured[0], 0.01);
  EXPECT_EQ(bench.transport.responses.back().measured_at, TimePoint(milliseconds(30)));
  bench.gets(Stop{kSession, "complete"});
  EXPECT_EQ(bench.node.state(), kStopping);
  bench.settle();
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.position[0], 0.0);
  EXPECT_EQ(bench.transport.last<Stopped>().last_step, 2);
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.recorder.closed, 1);
}

TEST(SiteNode, TellsWhichLimitsItTightened) {
  Bench bench(false, {{.rate = 0.3}});
  bench.run();
  const Configured& agreed = bench.transport.last<Configured>();
  EXPECT_EQ(agreed.layout[0].displacement_limit, 0.05);
  EXPECT_EQ(agreed.limits[0].rate, 0.3);
  ASSERT_EQ(agreed.tightened.size(), 2U);
  EXPECT_EQ(agreed.tightened[0], "floor.x displacement 50 mm");
  EXPECT_EQ(agreed.tightened[1], "actuator 1 rate 300 mm/s");
}

TEST(SiteNode, AnswersTheSameStepWithTheSameBitsAndNoSecondMotion) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  const int moved = bench.rig.motions;
  bench.rig.position[0] = 0.02;  // would be seen by a second read
  bench.gets(bench.step(0, 0.04));
  EXPECT_EQ(bench.rig.motions, moved);
  ASSERT_EQ(bench.transport.responses.size(), 3U);
  EXPECT_EQ(bench.transport.responses[2].measured, bench.transport.responses[1].measured);
  EXPECT_EQ(bench.transport.responses[2].force, bench.transport.responses[1].force);
  EXPECT_EQ(bench.recorder.sinks[0].pushed, 1) << "one intent";
  bench.gets(bench.step(1));
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.refusals(), 0) << "a late twin is nothing to stop for";
  EXPECT_EQ(bench.node.last_step(), 1);
}

TEST(SiteNode, RefusesAGapALengthAndATargetAndMovesNothing) {
  Bench bench;
  bench.run();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  StepCommand longer = bench.step(0);
  longer.target = Target::zero(2);
  StepCommand uneven = bench.step(0);
  uneven.target.velocity.resize(0);
  StepCommand part = bench.step(0);
  part.feedforward_target = Target::zero(3);
  StepCommand forward = bench.step(0);
  forward.command_feedforward = InterfaceVector::Zero(2);
  StepCommand fast = bench.step(0);
  fast.target.velocity[0] = nan;
  const std::string lengths =
      "step 0 has vectors of other lengths than the 1 controlled interface DOFs "
      "that were agreed";
  const std::string no_number = "the target of floor.x is not a number at step 0";
  const std::vector<std::pair<StepCommand, std::string>> cases{
      {bench.step(1), "step 1 came; the next one is 0"},
      {bench.step(-3), "step -3 came; the next one is 0"},
      {longer, lengths},
      {uneven, lengths},
      {part, lengths},
      {forward, lengths},
      {bench.step(0, nan), no_number},
      {bench.step(0, INFINITY), no_number},
      {fast, no_number},
      {bench.step(0, -0.051),
       "target 51 mm at floor.x is above its limit 50 mm at step 0"}};
  int refusals = 0;
  for (const auto& [command, why] : cases) {
    bench.gets(command);
    EXPECT_EQ(bench.refusals(), ++refusals);
    EXPECT_EQ(bench.refusal(), why);
    EXPECT_EQ(bench.node.state(), kRunning) << "nothing is latched";
  }
  EXPECT_EQ(bench.rig.motions, 0);
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.node.last_step(), 0);
}

TEST(SiteNode, ExecutesNothingOutsideItsSessionOrBeforeItsStart) {
  Bench bench;
  bench.tick();
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.refusals(), 0) << "a restarted site says hello, not no";
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(configure_message());
  bench.gets(Start{kSession});
  EXPECT_EQ(bench.transport.responses.size(), 0U) << "not armed";
  bench.gets(Arm{kOther});
  EXPECT_EQ(bench.node.state(), kConfigured);
  bench.gets(Arm{kSession});
  bench.gets(bench.step(0));
  EXPECT_EQ(bench.refusal(), "step 0 came while the site is ARMED");
  bench.gets(Start{kSession});
  StepCommand foreign = bench.step(0);
  foreign.session = kOther;
  bench.gets(foreign);
  EXPECT_EQ(bench.refusals(), 1) << "a late word of another session stops no test";
  bench.gets(Halt{kOther, "east", {}, 0, "not ours"});
  bench.gets(Stop{kOther, "not ours"});
  EXPECT_EQ(bench.node.state(), kRunning);
  EXPECT_EQ(bench.rig.motions, 0);
}

TEST(SiteNode, BearsEveryMessageTwice) {
  Bench bench;
  for (int i = 0; i < 2; ++i) bench.gets(Welcome{kProtocolVersion, "0.1"});
  for (int i = 0; i < 2; ++i) bench.gets(configure_message());
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 2);
  EXPECT_EQ(bench.rig.prepared, 1);
  EXPECT_EQ(bench.recorder.opened, 1);
  for (int i = 0; i < 2; ++i) bench.gets(Arm{kSession});
  EXPECT_EQ(bench.transport.sent<Armed>(0), 2);
  for (int i = 0; i < 2; ++i) bench.gets(Start{kSession});
  EXPECT_EQ(bench.transport.responses.size(), 2U);
  bench.gets(configure_message());
  EXPECT_EQ(bench.node.state(), kRunning);
  for (int i = 0; i < 2; ++i) bench.gets(Halt{kSession, "east", {}, 0, "force"});
  EXPECT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.node.reason(), "east: force");
  for (int i = 0; i < 2; ++i) bench.gets(Stop{kSession, "enough"});
  bench.settle();
  bench.gets(Stop{kSession, "enough"});
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 2);
  bench.gets(configure_message());
  EXPECT_EQ(bench.node.state(), kConfigured);
  EXPECT_EQ(bench.rig.prepared, 1) << "that test is over";
  EXPECT_EQ(bench.refusals(), 0);
}

TEST(SiteNode, HoldsByItselfWhenTheIntegratorDiesAndTakesTheNextTest) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.tick(milliseconds(4998));
  EXPECT_EQ(bench.node.state(), kRunning);
  bench.gets(Heartbeat{kOther});
  EXPECT_EQ(bench.node.state(), kRunning);
  bench.tick(milliseconds(1));
  EXPECT_EQ(bench.node.state(), kHolding) << "another's heartbeat is no sign of life";
  EXPECT_EQ(bench.node.reason(),
            "the integrator is silent: no valid message for 5 s; the watchdog allows 5 s");
  EXPECT_GE(bench.rig.holds, 1);
  EXPECT_EQ(bench.rig.position[0], 0.01);
  bench.gets(bench.step(1));
  EXPECT_TRUE(bench.transport.last<Hello>().can_resume) << "it says what can be done";
  bench.tick(milliseconds(5100));
  const int hellos = bench.transport.sent<Hello>(0);
  bench.tick(milliseconds(250));
  EXPECT_EQ(bench.transport.sent<Hello>(0), hellos + 1) << "ready for another";
  bench.run(kOther);
  EXPECT_EQ(bench.node.state(), kRunning);
  EXPECT_EQ(bench.recorder.closed, 1);
  EXPECT_EQ(bench.recorder.opened, 2);
}

TEST(SiteNode, KeepsARealRigUnderLoadFromTheNextTest) {
  Bench bench(true);
  bench.run();
  bench.tick(seconds(5));
  EXPECT_EQ(bench.node.state(), kHolding);
  bench.gets(configure_message(kOther));
  EXPECT_EQ(bench.refusal(), "it is HOLDING in test frame");
}

TEST(SiteNode, DrivesNoRealEquipmentAsFastAsItGoes) {
  Bench bench(true);
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(configure_message(kSession));
  EXPECT_EQ(bench.refusal(),
            "it is real equipment, and mode simulated goes as fast as it can; take "
            "pseudo-dynamic, continuous or real-time");
}

TEST(SiteNode, GivesUpATestThatNeverBegan) {
  for (const bool armed : {false, true})
    for (const SessionId& next : {kOther, kSession}) {
      Bench bench;
      bench.gets(configure_message());
      if (armed) bench.gets(Arm{kSession});
      bench.tick(seconds(5));
      EXPECT_EQ(bench.node.state(), kConfigured);
      EXPECT_EQ(bench.recorder.closed, 1);
      bench.tick(seconds(1));
      EXPECT_EQ(bench.transport.last<Hello>().last_session, SessionId{})
          << "an integrator that was only late takes it for one that can begin anew";
      bench.run(next);
      EXPECT_EQ(bench.node.state(), kRunning);
    }
}

TEST(SiteNode, SpeaksInTheSessionAndSaysHelloOutsideIt) {
  Bench bench;
  bench.tick();
  bench.tick(milliseconds(100));
  EXPECT_EQ(bench.transport.sent<Hello>(0), 1) << "no storm of hellos";
  bench.run();
  const int hellos = bench.transport.sent<Hello>(0);
  for (int i = 0; i < 4; ++i) {
    bench.gets(Heartbeat{kSession});
    bench.tick(milliseconds(500));
  }
  EXPECT_EQ(bench.transport.sent<Heartbeat>(0), 4);
  EXPECT_EQ(bench.transport.sent<Hello>(0), hellos);
}

TEST(SiteNode, LatchesAFaultAgainstStopAndTheNextTest) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.rig.status = AdapterStatus::kTripped;
  bench.gets(bench.step(1));
  EXPECT_EQ(bench.node.state(), kFault);
  const std::string why =
      "the rig's own protection acted, or it gave no fresh measurement at step 1, t = "
      "0.010 s";
  EXPECT_EQ(bench.transport.last<Halt>().reason, why);
  EXPECT_EQ(bench.transport.last<Halt>().node, "west");
  EXPECT_EQ(bench.transport.last<Halt>().step, 1);
  const int moved = bench.rig.motions;
  for (int i = 0; i < 2; ++i) bench.gets(Stop{kSession, "enough"});
  EXPECT_EQ(bench.node.state(), kFault);
  EXPECT_EQ(bench.transport.sent<Stopped>(0), 2);
  EXPECT_EQ(bench.recorder.closed, 1);
  bench.gets(configure_message(kOther));
  EXPECT_EQ(bench.refusal(),
            "it is in FAULT (" + why + "); a person has to clear that at the site");
  bench.gets(bench.step(2));
  EXPECT_EQ(bench.rig.motions, moved);
}

TEST(SiteNode, StopsWhenItsRecordFails) {
  for (const bool loses : {false, true}) {
    Bench bench;
    bench.run();
    bench.gets(bench.step(0));
    const int moved = bench.rig.motions;
    (loses ? bench.recorder.loses_rows : bench.recorder.broken) = true;
    bench.gets(bench.step(1));
    EXPECT_EQ(bench.node.state(), kFault);
    EXPECT_EQ(bench.rig.motions, moved) << "no motion without its intent on record";
    EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kJournal);
    EXPECT_EQ(bench.transport.last<Halt>().reason,
              std::string(loses ? "the record can no longer be kept" : "the disk is full") +
                  " at step 1, t = 0.010 s");
  }
}

TEST(SiteNode, RefusesATestThatItCannotServe) {
  const auto why = [](const auto& spoil) {
    Bench bench;
    Configure configure = configure_message();
    spoil(configure, bench);
    bench.gets(configure);
    EXPECT_EQ(bench.rig.motions, 0);
    EXPECT_FALSE(bench.node.state() == kConfigured);
    return bench.refusal();
  };
  EXPECT_EQ(why([](Configure& c, Bench&) { c.session = {}; }), "the session has no id");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.mode = "sideways"; }),
            "it cannot run in mode sideways");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.layout.clear(); }),
            "its loading frame has 1 interface DOFs, the test gives it 0");
  EXPECT_EQ(
      why([](Configure& c, Bench&) {
        c.layout.push_back({.name = "foot.rz", .role = DofRole::kForceOnly});
      }),
      "its rig has load cells for 0 force-only DOFs, the test asks it for 1 (foot.rz)");
  EXPECT_EQ(why([](Configure& c, Bench&) {
              c.layout.insert(c.layout.begin(),
                              {.name = "foot.rz", .role = DofRole::kForceOnly});
            }),
            "the test names a controlled DOF behind a force-only one");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.limits.resize(2); }),
            "it has 1 actuators, the test states limits for 2");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.time_step = -1.0; }),
            "the time step is -1 s with 2 control ticks; both must be above zero");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.time_step = INFINITY; }),
            "the time step is inf s with 2 control ticks; both must be above zero");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.watchdog = 0.5; }),
            "the watchdog of 0.5 s must be longer than the heartbeat's period of 0.5 s, "
            "and both above zero");
  EXPECT_EQ(why([](Configure& c, Bench&) { c.watchdog = 1e300; }).substr(0, 12),
            "the watchdog");
  EXPECT_EQ(why([](Configure&, Bench& b) { b.rig.refuses = true; }), "the pump is off");
  EXPECT_EQ(why([](Configure&, Bench& b) { b.recorder.refuses = "no such folder"; }),
            "no such folder");
  EXPECT_NE(why([](Configure& c, Bench&) { c.compensator = "\xff\xff"; }), "");
}

TEST(SiteNode, NamesBothVersionsThatDoNotTalk) {
  Bench bench;
  bench.gets(Welcome{{2, 0}, "0.9"});
  EXPECT_EQ(bench.node.state(), kOffline);
  EXPECT_EQ(bench.node.reason(),
            "the integrator speaks protocol 2.0 (trestle 0.9), this site 1.0 (trestle "
            "0.2); update the older one");
}

TEST(SiteNode, HoldsForThePersonAtTheSite) {
  Bench bench;
  bench.run();
  bench.gets(bench.step(0));
  bench.node.stop("the operator at west asked for a stop");
  EXPECT_EQ(bench.node.state(), kHolding);
  EXPECT_EQ(bench.transport.last<Halt>().reason, "the operator at west asked for a stop");
  bench.gets(Stop{kSession, "west"});
  bench.settle();
  EXPECT_EQ(bench.node.state(), kConfigured) << "nothing was latched";
}

TEST(SiteNode, HandsOutItsRecordsBetweenTestsOnly) {
  Bench bench;
  bench.gets(Fetch{kSession, 0});
  EXPECT_EQ(bench.transport.last<Chunk>().content, "abc");
  bench.gets(Fetch{kOther, 0});
  EXPECT_EQ(bench.transport.last<Chunk>().problem, "no such session");
  bench.run();
  bench.gets(Fetch{kSession, 0});
  EXPECT_EQ(bench.transport.last<Chunk>().content, "");
  EXPECT_EQ(bench.transport.last<Chunk>().problem,
            "it is RUNNING in test frame; ask again when that is over");
  EXPECT_EQ(bench.records.asked, 2) << "no file is read while a test runs";
  bench.gets(Stop{kSession, "complete"});
  bench.settle();
  bench.gets(Fetch{kSession, 3});
  EXPECT_EQ(bench.transport.last<Chunk>().problem, "");
  EXPECT_EQ(bench.transport.last<Chunk>().total, 3U);
}

TEST(SiteNode, NeedsAFrameThatFitsItsRig) {
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Rig rig;
  EXPECT_THROW(
      SiteNode({.name = "west",
                .software = "",
                .loading_frame = std::make_unique<MatrixFrame>(MatrixFrame::identity(2)),
                .limits = {},
                .limit_place = {},
                .target_limits = {}},
               rig, transport, recorder, nullptr, VirtualClock{}),
      SettingError);
}

/// Two actuators and a load cell besides.
class CouplerRig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    RigDescription description;
    description.actuators = {{"1", DofKind::kTranslation}, {"2", DofKind::kTranslation}};
    description.reactions = 1;
    return description;
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Sensed& sensed) noexcept override {
    sensed.displacement.setZero(2);
    sensed.force.setZero(2);
    sensed.reaction.setConstant(1, 7.0);
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& /*drive*/) noexcept override {
    ++motions;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  int motions = 0;
};

TEST(SiteNode, RefusesFeedForwardThroughAFrameThatIsNotLinear) {
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  CouplerRig rig;
  const VirtualClock clock;
  SiteNode node({.name = "west",
                 .software = "",
                 .loading_frame = std::make_unique<CouplerFrame>(
                     CouplerSettings{.arm = 0.3, .angle = 0.44}),
                 .limits = {},
                 .limit_place = {},
                 .target_limits = {}},
                rig, transport, recorder, nullptr, clock);
  const auto gets = [&](const auto& message) {
    transport.arrives(0, message);
    node.tick(TimePoint{});
  };
  Configure configure = configure_message();
  configure.layout = {{.name = "floor.rz", .kind = DofKind::kRotation},
                      {.name = "floor.x"}};
  gets(Welcome{kProtocolVersion, "0.1"});
  gets(configure);
  EXPECT_EQ(transport.last<Refusal>().reason,
            "a coupler moves x and rz of its node, in this order; its interface is "
            "[floor.rz, floor.x]");
  std::swap(configure.layout[0], configure.layout[1]);
  configure.layout.push_back(
      {.name = "foot.rz", .kind = DofKind::kRotation, .role = DofRole::kForceOnly});
  gets(configure);
  gets(Arm{kSession});
  gets(Start{kSession});
  ASSERT_EQ(transport.responses.size(), 1U);
  EXPECT_EQ(transport.responses[0].measured.size(), 2);
  EXPECT_EQ(transport.responses[0].force, (InterfaceVector{{0.0, 0.0, 7.0}}));
  StepCommand command;
  command.session = kSession;
  command.target = Target::zero(2);
  command.feedforward_target = Target::zero(2);
  gets(command);
  EXPECT_EQ(transport.last<Refusal>().reason,
            "step 0 brings feed-forward, which needs a linear loading frame; this site's "
            "is not");
  EXPECT_EQ(rig.motions, 0);
  command.feedforward_target = Target{};
  gets(command);
  EXPECT_EQ(rig.motions, 2);
}

}  // namespace
}  // namespace trestle
