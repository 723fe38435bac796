#include <gtest/gtest.h>

#include <limits>

#include "composition/sites/control_chain_factory.h"
#include "core/base/setting_error.h"
#include "site-servers/kinematics/coupler_frame.h"
#include "tests/site-servers/node/site_bench.h"

namespace trestle::site_node::site_refusal_test {
namespace {

using std::chrono::seconds;
using enum session::SessionState;
using testing::configure_message;
using testing::kOther;
using testing::kSession;
using Bench = testing::SiteBench;

TEST(SiteNode, RefusesAGapALengthAndATargetAndMovesNothing) {
  Bench bench;
  bench.run();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  StepCommand longer = bench.step(0);
  longer.target = InterfaceMotion::zero(2);
  StepCommand uneven = bench.step(0);
  uneven.target.velocity.resize(0);
  StepCommand part = bench.step(0);
  part.feedforward_target = InterfaceMotion::zero(3);
  StepCommand forward = bench.step(0);
  forward.command_feedforward = InterfaceVector::Zero(2);
  StepCommand fast = bench.step(0);
  fast.target.velocity[0] = nan;
  const std::string lengths =
      "step 0 has vectors of other lengths than the 1 controlled interface DOFs "
      "that were agreed";
  const std::string no_number =
      "the target of floor.x is not a number at step 0. A resume sends the same target "
      "again, so the test cannot go on: stop it";
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
       "target 51 mm at floor.x is above its limit 50 mm at step 0. A resume sends the "
       "same target again, so the test cannot go on: stop it"}};
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

TEST(SiteNode, RefusesAnInertiaThatItsRigDoesNotMeasure) {
  Bench bench;
  bench.tick();
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  Configure wanted = configure_message();
  wanted.specimen_mass = {9.0};
  wanted.inertia_measured = true;
  bench.gets(wanted);
  EXPECT_EQ(bench.refusals(), 1);
  EXPECT_NE(bench.refusal().find("measures 0 accelerations of the specimen; 1 are needed"),
            std::string::npos)
      << bench.refusal();
  wanted.inertia_measured = false;
  bench.gets(wanted);
  EXPECT_EQ(bench.node.state(), kConfigured);
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

TEST(SiteNode, KeepsARealRigUnderLoadFromTheNextTest) {
  Bench bench(true);
  bench.run();
  bench.tick(seconds(5));
  EXPECT_EQ(bench.node.state(), kHolding);
  bench.gets(configure_message(kOther));
  EXPECT_EQ(
      bench.refusal(),
      "it is HOLDING in test frame, whose integrator is silent: resume it there (trestle "
      "resume RUN-FOLDER), or end it here (trestle stop west)");
}

TEST(SiteNode, DrivesNoRealEquipmentAsFastAsItGoes) {
  Bench bench(true);
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(configure_message(kSession));
  EXPECT_EQ(bench.refusal(),
            "it is real equipment, and mode simulated goes as fast as it can; take "
            "pseudo-dynamic, continuous or real-time");
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

TEST(SiteNode, NeedsAFrameThatFitsItsRig) {
  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  testing::Rig rig;
  EXPECT_THROW(SiteNode({.name = "west",
                         .software = "",
                         .loading_frame = std::make_unique<kinematics::MatrixFrame>(
                             kinematics::MatrixFrame::identity(2)),
                         .control_chain = &composition::control_chain_factory(),
                         .limits = {},
                         .limit_place = {},
                         .target_limits = {}},
                        rig, transport, {recorder.recording()}, timing::VirtualClock{}),
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
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement.setZero(2);
    sensed.force.setZero(2);
    sensed.force_only.setConstant(1, 7.0);
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
  const timing::VirtualClock clock;
  SiteNode node({.name = "west",
                 .software = "",
                 .loading_frame = std::make_unique<kinematics::CouplerFrame>(
                     kinematics::CouplerSettings{.arm = 0.3, .angle = 0.44}),
                 .control_chain = &composition::control_chain_factory(),
                 .limits = {},
                 .limit_place = {},
                 .target_limits = {}},
                rig, transport, {recorder.recording()}, clock);
  const auto gets = [&](const auto& message) {
    transport.arrives(0, message);
    node.tick(TimePoint{});
  };
  Configure configure = configure_message();
  configure.layout = {{.name = "floor.rz", .kind = DofKind::kRotation},
                      {.name = "floor.x"}};
  gets(Welcome{kProtocolVersion, "0.1"});
  gets(configure);
  EXPECT_EQ(transport.last<Rejection>().reason,
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
  command.target = InterfaceMotion::zero(2);
  command.feedforward_target = InterfaceMotion::zero(2);
  gets(command);
  EXPECT_EQ(transport.last<Rejection>().reason,
            "step 0 brings feed-forward, which needs a linear loading frame; this site's "
            "is not");
  EXPECT_EQ(rig.motions, 0);
  command.feedforward_target = InterfaceMotion{};
  gets(command);
  EXPECT_EQ(rig.motions, 2);
}

}  // namespace
}  // namespace trestle::site_node::site_refusal_test
