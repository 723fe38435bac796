// What a site does with its rig between two tests by a person's command, and what it never
// does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "composition/sites/control_chain_factory.h"
#include "core/journal/journal_recorder.h"
#include "core/session/session_contract.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "site-servers/node/site_recorder.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::rig_service_test {
namespace {

using testing::after;
using Action = RigRequest::Action;
using enum session::SessionState;

const SessionId kSession{1, 2, 3};
constexpr const char* kAda = "ada@lab";
constexpr double kTick = 1.0 / 128;

/// Two actuators on springs, whose servo loops settle a little off their drives.
class Rig final : public SiteAdapter {
 public:
  /// @param second  kind of its second actuator, as its driver describes it
  Rig(bool has_watchdog, DofKind second) : watchdog(has_watchdog), kind(second) {}
  RigDescription description() const override {
    RigDescription description;
    description.actuators = {{"1", DofKind::kTranslation}, {"2", kind}};
    description.real_equipment = real;
    description.hardware_watchdog = watchdog;
    description.extra = {{"oil", "bar"}};
    return description;
  }
  void prepare(const RigRun& run) override {
    if (!ready.empty()) throw std::runtime_error(ready);
    tick = run.tick;
    ++prepared;
  }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement = gain * drive + zero;
    sensed.force = stiffness * drive + load;
    return status;
  }
  AdapterStatus write(const ActuatorVector& to) noexcept override {
    fastest = (to - drive).cwiseAbs().cwiseMax(fastest);
    largest = to.cwiseAbs().cwiseMax(largest);
    drive = to;
    ++writes;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  bool release() override {
    released += offers_release ? 1 : 0;
    return offers_release;
  }
  std::span<const double> auxiliary_channels() const noexcept override { return oil; }
  std::span<const double> drive_in_force() const noexcept override {
    return {drive.data(), reports ? 2U : 0U};
  }
  std::string diagnostic_message() const override {
    return status == AdapterStatus::kOk ? "" : "the emergency stop is open";
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  bool real = true;
  bool watchdog;
  DofKind kind;
  bool reports = true;
  bool offers_release = true;
  std::string ready;
  double gain = 1.0;
  double stiffness = 1e5;
  ActuatorVector zero = ActuatorVector::Zero(2);
  ActuatorVector load = ActuatorVector::Zero(2);
  ActuatorVector drive = ActuatorVector::Zero(2);
  ActuatorVector fastest = ActuatorVector::Zero(2);  ///< way of one tick
  ActuatorVector largest = ActuatorVector::Zero(2);
  AdapterStatus status = AdapterStatus::kOk;
  std::vector<double> oil{207.0};
  double tick = 0.0;
  int prepared = 0;
  int writes = 0;
  int holds = 0;
  int released = 0;
};

/// Keeps everything in memory.
class Diary final : public RigDiary {
 public:
  struct Kept {
    std::vector<AuditEntry> acts;
    std::vector<AuditEntry> handed_over;
    std::optional<RigZero> zero;
    RigTare tare{{}, "the-place/tare"};
    int motions = 0;
    std::string broken;
    std::string tare_broken;
  };
  explicit Diary(Kept& kept) : kept_(kept) {}
  void keep(const AuditEntry& act) override {
    if (!kept_.broken.empty()) throw std::runtime_error(kept_.broken);
    kept_.acts.push_back(act);
  }
  void begin_motion() override { ++kept_.motions; }
  std::vector<AuditEntry> acts() const override { return kept_.acts; }
  void hand_over() override { std::swap(kept_.handed_over, kept_.acts); }
  std::optional<RigZero> zero() const override { return kept_.zero; }
  void keep_zero(const std::string& by, const std::vector<RigReading>& readings) override {
    kept_.zero = RigZero{"2026-11-27T09:12:03Z by " + by, readings};
  }
  RigTare tare() const override { return kept_.tare; }
  void keep_tare(const std::string& by, const std::vector<TareOffset>& offsets) override {
    if (!kept_.tare_broken.empty()) throw std::runtime_error(kept_.tare_broken);
    kept_.tare.offsets = offsets;
    for (TareOffset& each : kept_.tare.offsets)
      if (each.at.empty()) each.at = "2026-11-27T09:13:00Z by " + by;
  }

 private:
  Kept& kept_;
};

/// What is special about a site.
struct Special {
  std::string fault{};  ///< that was latched before
  bool watchdog = true;
  double tracking_error = 0.01;
  bool ramps_home = false;
  Diary::Kept kept{};  ///< by a process before
  DofKind second = DofKind::kRotation;
};

SiteSettings site_settings(Diary::Kept& kept, const Special& special) {
  SiteSettings settings;
  settings.control_chain = &composition::control_chain_factory();
  settings.name = "west";
  settings.software = "0.2";
  settings.loading_frame =
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(2));
  settings.limits = RigLimits(2);
  for (ActuatorLimits& limit : settings.limits) {
    limit.displacement = 0.06;
    limit.rate = 0.15;
    limit.force = 5e3;
    limit.tracking_error = special.tracking_error;
  }
  settings.limit_place = [](const std::string& field) {
    return "site.yaml:9 " + field;
  };
  settings.shares_clock = true;
  const ActuatorVector ones = ActuatorVector::Ones(2);
  settings.safe_action = {special.ramps_home ? safety::SafeAction::Kind::kRampHome
                                             : safety::SafeAction::Kind::kHold,
                          0.005 * ones, 0.1 * ones, ones, ones};
  settings.earlier.fault = special.fault;
  settings.earlier.diary = std::make_unique<Diary>(kept);
  return settings;
}

/// A site whose integrator is a script, and whose operators are the test.
struct Bench {
  /// @param other  in place of the recorder of this; null: none
  explicit Bench(const Special& special = {}, Recorder* other = nullptr)
      : kept(special.kept),
        rig(special.watchdog, special.second),
        node(site_settings(kept, special), rig, transport,
             {other == nullptr ? recorder.recording() : other->recording()}, clock) {
    configure.session = kSession;
    configure.test = "frame";
    configure.mode = name(ExecutionMode::kPseudoDynamic);
    configure.time_step = 0.01;
    configure.ticks_per_step = 5;
    configure.steps_planned = 1000;
    configure.layout = {
        {.name = "floor.x", .displacement_limit = 0.06},
        {.name = "floor.rz", .kind = DofKind::kRotation, .displacement_limit = 0.06}};
    configure.heartbeat_period = 0.5;
    configure.watchdog = 2.0;
    configure.pace.rate = 0.1;
    configure.pace.average = 0.004;
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
  /// The person repeats the command twice a second.
  void hold_down(double seconds, const std::string& by = kAda) {
    for (double done = 0.0; done < seconds; done += 0.5) {
      EXPECT_EQ(node.command_rig(by, {.action = Action::kContinue}), "");
      run_for(0.5);
    }
  }
  void gets(const SessionMessage& message) {
    transport.arrives(0, message);
    run_until(clock.now());
  }
  /// The outcome of a command that follows later, once.
  std::string outcome() {
    const std::optional<std::string> said = node.take_outcome();
    return said ? *said : "(none yet)";
  }
  std::string jog(const std::string& amount, const std::string& rate,
                  const std::string& drive = {}) {
    return node.command_rig(kAda, {.action = Action::kJog,
                                   .actuator = "1",
                                   .amount = amount,
                                   .rate = rate,
                                   .drive = drive});
  }
  RigReport report() const { return node.status().commanded.value_or(RigReport{}); }

  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Diary::Kept kept;
  Rig rig;
  timing::VirtualClock clock;
  SiteNode node;
  Configure configure;
};

const RigReading& reading(const RigReport& report, const std::string& channel) {
  const auto found =
      std::find_if(report.readings.begin(), report.readings.end(),
                   [&](const RigReading& each) { return each.channel == channel; });
  EXPECT_NE(found, report.readings.end()) << channel;
  static const RigReading none;
  return found == report.readings.end() ? none : *found;
}

// ---------------------------------------------------------------- readings

TEST(RigService, ReadsTheRigForASecondAndDrivesNothing) {
  Bench bench;
  bench.rig.zero << 1e-4, -2e-4;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  EXPECT_TRUE(bench.node.command_under_way());
  bench.run_for(0.9);
  EXPECT_EQ(bench.outcome(), "(none yet)");
  EXPECT_EQ(bench.report().state, "reads");
  bench.run_for(0.2);
  EXPECT_EQ(bench.outcome(), "");
  const RigReport report = bench.report();
  EXPECT_TRUE(report.done);
  EXPECT_EQ(report.state, "over");
  ASSERT_EQ(report.readings.size(), 5U);
  EXPECT_NEAR(reading(report, "1.displacement").mean, 1e-4, 1e-15);
  EXPECT_EQ(reading(report, "1.displacement").unit, "m");
  EXPECT_EQ(reading(report, "2.displacement").unit, "rad");
  EXPECT_EQ(reading(report, "2.force").unit, "N.m");
  EXPECT_NEAR(reading(report, "oil").mean, 207.0, 1e-9);
  EXPECT_FALSE(reading(report, "1.displacement").drift);
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_TRUE(bench.kept.acts.empty());  // nothing was done
}

TEST(RigService, KeepsZeroReadingsAndShowsTheDriftSince) {
  Bench bench;
  bench.rig.zero << 1e-4, -2e-4;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kZero}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  ASSERT_TRUE(bench.kept.zero);
  ASSERT_EQ(bench.kept.acts.size(), 1U);
  EXPECT_EQ(bench.kept.acts[0].who, kAda);
  EXPECT_EQ(bench.kept.acts[0].what, "rig");
  EXPECT_NE(bench.kept.acts[0].text.find("1.displacement 0.1 mm"), std::string::npos)
      << bench.kept.acts[0].text;
  bench.rig.zero[0] = 1.5e-4;
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  const RigReport report = bench.report();
  EXPECT_EQ(report.zero, "2026-11-27T09:12:03Z by ada@lab");
  EXPECT_NEAR(*reading(report, "1.displacement").drift, 5e-5, 1e-12);
  EXPECT_NEAR(*reading(report, "2.displacement").drift, 0.0, 1e-12);
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(RigService, SaysWhyARigCannotBeReadAndLatchesNothing) {
  Bench bench;
  bench.rig.status = AdapterStatus::kTripped;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("the emergency stop is open"), std::string::npos);
  EXPECT_NE(bench.node.state(), kFault);
  bench.rig.status = AdapterStatus::kOk;
  bench.rig.ready = "the pump is off";
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(0.1);
  EXPECT_EQ(bench.outcome(), "the pump is off");
}

// ---------------------------------------------------------------- tare

TEST(RigService, SubtractsATareFromReadingsAndShowsBy) {
  Bench bench;
  bench.rig.load << 120.0, -40.0;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kZero}), "");
  bench.run_for(1.1);
  bench.rig.load << 150.0, -40.0;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  ASSERT_EQ(bench.kept.tare.offsets.size(), 2U);
  EXPECT_EQ(bench.kept.tare.offsets[0].channel, "1.force");
  EXPECT_NEAR(bench.kept.tare.offsets[0].value, 150.0, 1e-9);
  EXPECT_NEAR(bench.kept.tare.offsets[1].value, -40.0, 1e-9);
  EXPECT_NEAR(reading(bench.report(), "1.force").mean, 0.0, 1e-9);
  bench.rig.load[0] = 157.0;
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  const RigReport report = bench.report();
  EXPECT_NEAR(reading(report, "1.force").mean, 7.0, 1e-9);
  EXPECT_NEAR(reading(report, "1.force").tare, 150.0, 1e-9);
  EXPECT_EQ(reading(report, "1.force").tared, "2026-11-27T09:13:00Z by ada@lab");
  // The drift is of the equipment: from 120 N to 157 N.
  EXPECT_NEAR(*reading(report, "1.force").drift, 37.0, 1e-9);
  EXPECT_NEAR(reading(report, "oil").mean, 207.0, 1e-9);
  EXPECT_EQ(reading(report, "oil").tared, "");
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.kept.motions, 0);  // a drive that was told is in force still
  ASSERT_EQ(bench.kept.acts.size(), 3U);
  EXPECT_EQ(bench.kept.acts[1].text, "tare of 1.force, 2.force: commanded");
  EXPECT_EQ(bench.kept.acts[2].text,
            "tare of 1.force, 2.force: subtracted from now on: 1.force 0.15 kN, 2.force "
            "-0.04 kN.m");
}

TEST(RigService, TaresAgainFromTheEquipmentsReadingsAndUndoesIt) {
  Bench bench;
  bench.rig.load << 150.0, -40.0;
  for (const double load : {150.0, 160.0}) {
    bench.rig.load[0] = load;
    EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
    bench.run_for(1.1);
    EXPECT_EQ(bench.outcome(), "");
    EXPECT_NEAR(bench.kept.tare.find("1.force")->value, load, 1e-9);
  }
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare, .channels = "oil"}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_NEAR(reading(bench.report(), "oil").mean, 0.0, 1e-9);
  const int prepared = bench.rig.prepared;
  EXPECT_EQ(
      bench.node.command_rig(kAda, {.action = Action::kUndoTare, .channels = "1.force"}),
      "");
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(bench.rig.prepared, prepared);  // nothing is read for it
  EXPECT_EQ(bench.kept.tare.find("1.force"), nullptr);
  ASSERT_NE(bench.kept.tare.find("2.force"), nullptr);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kUndoTare}), "");
  EXPECT_TRUE(bench.kept.tare.offsets.empty());
  EXPECT_EQ(bench.kept.acts.back().text,
            "undoing of the tare of 2.force, oil: the readings of 2.force, oil are the "
            "equipment's again");
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kUndoTare}),
            "nothing is tared");
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  EXPECT_NEAR(reading(bench.report(), "1.force").mean, 160.0, 1e-9);
  EXPECT_NEAR(reading(bench.report(), "oil").mean, 207.0, 1e-9);
}

TEST(RigService, TaresNoLoadAndNoCoordinateOfADrive) {
  Bench bench;
  bench.rig.load[0] = 1300.0;  // of a limit of 5 kN
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
  bench.run_for(1.1);
  EXPECT_NE(bench.outcome().find("the equipment reads 1.force 1.3 kN, more than a quarter "
                                 "of the limit of force (1.force 1.25 kN)"),
            std::string::npos)
      << bench.report().outcome;
  EXPECT_TRUE(bench.kept.tare.offsets.empty());
  const auto refusal = [&bench](const std::string& channels) {
    return bench.node.command_rig(kAda, {.action = Action::kTare, .channels = channels});
  };
  EXPECT_NE(refusal("1.displacement").find("in the coordinate of the drive"),
            std::string::npos);
  EXPECT_NE(refusal("2.force,3.force")
                .find("no channel 3.force; give some of 1.force, 2.force, oil"),
            std::string::npos);
  EXPECT_NE(
      bench.node.command_rig(kAda, {.action = Action::kUndoTare, .channels = "1.force"})
          .find("is not tared"),
      std::string::npos);
  bench.rig.load[0] = 100.0;
  bench.kept.tare_broken = "the disk is full";
  EXPECT_EQ(refusal("1.force"), "");
  bench.run_for(1.1);
  EXPECT_NE(bench.outcome().find("the disk is full"), std::string::npos);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  EXPECT_NEAR(reading(bench.report(), "1.force").mean, 100.0, 1e-9);  // it is not in effect
}

TEST(RigService, BeginsWithTheKeptTareWhichLimitsContractAndAnswersHave) {
  Diary::Kept kept;
  kept.tare.offsets = {{"1.force", "N", 1000.0, "yesterday by ada@lab"}};
  Bench bench({.kept = kept});
  bench.rig.load[0] = 1000.0;
  // 5 kN of 100 kN/m, by the tared force.
  EXPECT_EQ(bench.jog("49mm", "20mm/s"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_EQ(bench.jog("-49mm", "20mm/s"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  const std::string contract = bench.transport.last<Configured>().contract;
  EXPECT_NE(contract.find("site_states.tare.1.force: 1000 N, yesterday by ada@lab\n"),
            std::string::npos)
      << contract;
  EXPECT_NE(bench.node.command_rig(kAda, {.action = Action::kTare})
                .find("between two tests only"),
            std::string::npos);
  EXPECT_NE(bench.node.command_rig(kAda, {.action = Action::kUndoTare})
                .find("between two tests only"),
            std::string::npos);
  bench.gets(Arm{kSession, session::contract_hash(contract), "ada@lab"});
  bench.gets(Start{kSession, bench.clock.now()});
  bench.run_for(0.5);
  StepCommand command;
  command.session = kSession;
  command.step = 0;
  command.target = InterfaceMotion::zero(2);
  command.target.displacement << 0.001, 0.0;
  bench.transport.arrives(0, command);
  bench.run_for(1.0);
  ASSERT_FALSE(bench.transport.responses.empty());
  EXPECT_EQ(bench.transport.responses.back().step, 0);
  EXPECT_NEAR(bench.transport.responses.back().force[0], 100.0, 1.0);
}

TEST(RigService, KeepsNoTareThatSomebodyEnds) {
  Bench bench;
  bench.rig.load << 150.0, -40.0;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare, .token = "first"}), "");
  bench.run_for(0.5);
  EXPECT_NE(bench.node.command_rig(kAda, {.action = Action::kEnd, .token = "other"})
                .find("another one is under way: tare of 1.force, 2.force"),
            std::string::npos);
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kEnd}), "");
  bench.run_for(2.0);
  EXPECT_FALSE(bench.report().done);
  EXPECT_NE(bench.outcome().find("stopped by bob@lab"), std::string::npos);
  EXPECT_TRUE(bench.kept.tare.offsets.empty());
}

TEST(RigService, KeepsATareInTheUnitsOfTheRigWhateverATestHasAgreed) {
  Bench bench({.second = DofKind::kTranslation});
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);  // the second actuator turns in this test
  ASSERT_EQ(bench.node.state(), kConfigured);
  bench.gets(Stop{kSession, "stopped by ada@lab", "ada@lab"});
  bench.run_for(5.0);
  bench.rig.load << 150.0, -40.0;
  ASSERT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(reading(bench.report(), "2.force").unit, "N.m");
  EXPECT_NEAR(reading(bench.report(), "2.force").mean, 0.0, 1e-9);
  ASSERT_NE(bench.kept.tare.find("2.force"), nullptr);
  EXPECT_EQ(bench.kept.tare.find("2.force")->unit, "N");
  // So the next process begins with it.
  Bench next({.kept = bench.kept, .second = DofKind::kTranslation});
  next.rig.load << 150.0, -40.0;
  EXPECT_EQ(next.node.command_rig(kAda, {.action = Action::kStatus}), "");
  next.run_for(1.1);
  EXPECT_NEAR(reading(next.report(), "2.force").mean, 0.0, 1e-9);
}

TEST(RigService, BeginsNotAtAllWithATareOfAnotherRig) {
  Diary::Kept kept;
  kept.tare.offsets = {{"3.force", "N", 1000.0, "yesterday by ada@lab"}};
  try {
    Bench bench({.kept = kept});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("yesterday by ada@lab (the-place/tare)"),
              std::string::npos)
        << error.what();
  }
}

TEST(RigService, BeginsNotAtAllWithATareThatIsALoadByTheLimitOfToday) {
  Diary::Kept kept;
  // Taken with a limit of 8 kN; this file has 5 kN.
  kept.tare.offsets = {{"1.force", "N", -1500.0, "yesterday by ada@lab"}};
  try {
    Bench bench({.kept = kept});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("is 1.force -1.5 kN, more than a quarter of its limit of force in "
                        "the site's file (1.force 1.25 kN)"),
              std::string::npos)
        << error.what();
  }
}

// ---------------------------------------------------------------- motions

TEST(RigService, JogsOneActuatorByAnAmountAtARateWhileItsPersonRepeatsTheCommand) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.jog("-2 mm", "1mm/s"), "");
  bench.run_for(0.01);
  EXPECT_EQ(bench.outcome(), "");  // it has begun
  EXPECT_EQ(bench.report().state, "moves");
  bench.hold_down(6.0);
  const RigReport report = bench.report();
  EXPECT_TRUE(report.done) << report.outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.002, 1e-15);
  EXPECT_EQ(bench.rig.drive[1], 0.001);
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9));
  EXPECT_EQ(bench.rig.fastest[1], 0.0);
  EXPECT_GE(bench.rig.holds, 1);
  EXPECT_EQ(bench.kept.motions, 1);
  ASSERT_EQ(bench.kept.acts.size(), 2U);
  EXPECT_EQ(bench.kept.acts[0].text, "jog of actuator 1 by -2 mm at 1 mm/s: commanded");
  EXPECT_NE(bench.kept.acts[1].text.find("moved as commanded; the rig holds at the drive "
                                         "2 mm, 1 mrad"),
            std::string::npos)
      << bench.kept.acts[1].text;
  EXPECT_EQ(bench.kept.acts[1].who, kAda);
}

TEST(RigService, HoldsWithinTwoTicksOfASecondOfSilence) {
  Bench bench;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.hold_down(3.0);
  const int before = bench.rig.writes;
  bench.run_for(5.0);
  EXPECT_LE(bench.rig.writes - before, 128 + 2);
  const RigReport report = bench.report();
  EXPECT_EQ(report.state, "over");
  EXPECT_FALSE(report.done);
  EXPECT_NE(report.outcome.find("the command was not repeated for 1 s"), std::string::npos)
      << report.outcome;
  EXPECT_GE(bench.rig.holds, 1);
  EXPECT_NE(bench.node.state(), kFault);
  // A later word begins nothing.
  const double there = bench.rig.drive[0];
  bench.hold_down(2.0);
  EXPECT_EQ(bench.rig.drive[0], there);
}

TEST(RigService, MovesNothingForAPersonWhoIsGoneWhenTheRigIsReady) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.run_for(3.0);
  EXPECT_EQ(bench.rig.drive[0], 0.004);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_NE(bench.report().outcome.find("the command was not repeated for 1 s"),
            std::string::npos)
      << bench.report().outcome;
  // So of one who was there, and gives the next command elsewhere.
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kContinue}), "");
  EXPECT_EQ(bench.rig.drive[0], 0.004);
}

TEST(RigService, LetsAProgramRepeatAndEndItsOwnCommandAlone) {
  Bench bench;
  RigRequest jog{.action = Action::kJog,
                 .actuator = "1",
                 .amount = "20mm",
                 .rate = "2mm/s",
                 .token = "first"};
  EXPECT_EQ(bench.node.command_rig(kAda, jog), "");
  bench.run_for(0.1);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kContinue, .token = "first"}),
            "");
  bench.run_for(3.0);
  EXPECT_GT(bench.rig.drive[0], 0.0);
  ASSERT_EQ(bench.report().state, "over");  // it was silent
  jog.token = "second";
  EXPECT_EQ(bench.node.command_rig(kAda, jog), "");
  bench.run_for(0.1);
  const double there = bench.rig.drive[0];
  // The first program comes back.
  for (const Action action : {Action::kContinue, Action::kEnd})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action, .token = "first"})
                  .find("another one is under way: jog of actuator 1"),
              std::string::npos);
  bench.run_for(2.0);
  EXPECT_EQ(bench.rig.drive[0], there) << "the first kept the second alive";
  EXPECT_EQ(bench.report().state, "over");
}

TEST(RigService, TakesARepetitionFromItsOwnPersonAloneAndAnEndFromAnyone) {
  Bench bench;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.run_for(0.5);
  EXPECT_NE(bench.node.command_rig("bob@lab", {.action = Action::kContinue})
                .find("for ada@lab); only the person who gave it can repeat it"),
            std::string::npos);
  EXPECT_NE(
      bench.node.command_rig("bob@lab", {.action = Action::kStatus}).find("is under way"),
      std::string::npos);
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kEnd}), "");
  const int before = bench.rig.writes;
  bench.run_for(0.1);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_NE(bench.report().outcome.find("stopped by bob@lab"), std::string::npos);
}

TEST(RigService, ReturnsHomeOnASmoothPathAndStopsAtTheStatedForce) {
  Bench bench;
  bench.rig.drive << 0.01, -0.02;
  bench.rig.stiffness = 1e4;
  RigRequest home{.action = Action::kHome, .rate = "2mm/s,8mrad/s", .force = "1kN,1kN.m"};
  EXPECT_EQ(bench.node.command_rig(kAda, home), "");
  bench.hold_down(11.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_EQ(bench.rig.drive, ActuatorVector::Zero(2));
  EXPECT_LE(bench.rig.fastest[0], 2e-3 * kTick * (1.0 + 1e-9));
  EXPECT_LE(bench.rig.fastest[1], 8e-3 * kTick * (1.0 + 1e-9));
  // 15/8 · 10 mm / 2 mm/s = 9.375 s is longer than 15/8 · 20 / 8 = 4.69 s.
  EXPECT_NEAR(bench.rig.writes * kTick, 9.375 + 0.25, 3 * kTick);

  home.force = "1kN,50 N.m";
  bench.rig.drive << 0.01, -0.01;
  EXPECT_EQ(bench.node.command_rig(kAda, home), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("the force of actuator 2 is -0.1 kN.m already"),
            std::string::npos);
}

// ---------------------------------------------------------------- exercise

RigRequest exercise() {
  return {.action = Action::kExercise,
          .amount = "0.5mm,0.4mrad",
          .force = "1kN,1kN.m",
          .frequency = "1Hz"};
}

TEST(RigService, ExercisesEachActuatorAndSaysThatItFollowsAsStated) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.run_for(0.01);
  EXPECT_EQ(bench.outcome(), "");  // it has begun
  EXPECT_EQ(bench.report().state, "moves");
  bench.hold_down(16.0);
  const RigReport report = bench.report();
  ASSERT_TRUE(report.done) << report.outcome;
  ASSERT_EQ(report.exercise.size(), 2U);
  for (const ExerciseResult& each : report.exercise) {
    EXPECT_NEAR(each.gain, 1.0, 1e-9);
    EXPECT_NEAR(each.delay, kTick, 1e-9);  // it reads what the tick before has driven
    EXPECT_NEAR(each.noise, 0.0, 1e-15);
    EXPECT_NEAR(each.stiffness, 1e5, 1e-3);
    EXPECT_EQ(each.finding, "");
  }
  EXPECT_EQ(report.exercise[0].unit, "m");
  EXPECT_EQ(report.exercise[0].amplitude, 0.5e-3);
  EXPECT_EQ(report.exercise[1].unit, "rad");
  EXPECT_EQ(bench.rig.drive[0], 0.004);
  EXPECT_EQ(bench.rig.drive[1], 0.001);
  EXPECT_LE(bench.rig.fastest[0], 0.5e-3 * RigSine::kPeakRate * kTick);
  EXPECT_LE(bench.rig.largest[0], 0.0045 + 1e-15);
  ASSERT_EQ(bench.kept.acts.size(), 2U);
  EXPECT_EQ(bench.kept.acts[0].text,
            "exercise of all actuators by 0.5 mm, 0.4 mrad at 1 Hz, up to 1 kN, 1 kN.m: "
            "commanded");
  EXPECT_NE(bench.kept.acts[1].text.find("actuator 1 gain 1.000 delay 7.81 ms"),
            std::string::npos)
      << bench.kept.acts[1].text;
  EXPECT_TRUE(bench.kept.acts[1].text.ends_with("; as stated"));
  EXPECT_EQ(bench.kept.motions, 1);
}

TEST(RigService, SaysWhatDoesNotFollowAsStated) {
  const auto finding = [](double gain, double stiffness, const std::string& delay) {
    Bench bench;
    bench.rig.gain = gain;
    bench.rig.stiffness = stiffness;
    RigRequest one = exercise();
    one.actuator = "1";
    one.amount = "0.5mm";
    one.force = "1kN";
    one.delay = delay;
    EXPECT_EQ(bench.node.command_rig(kAda, one), "");
    bench.hold_down(9.0);
    const RigReport report = bench.report();
    EXPECT_TRUE(report.done) << report.outcome;
    EXPECT_EQ(report.exercise.size(), 1U);
    EXPECT_EQ(bench.rig.largest[1], 0.0);
    return report.exercise.empty() ? "" : report.exercise[0].finding;
  };
  EXPECT_EQ(finding(1.04, 1e5, "8ms"), "");
  EXPECT_EQ(finding(0.9, 1e5, ""), "its gain is 0.900, stated 1 within 5 %");
  EXPECT_EQ(finding(-1.0, 0.0, ""), "it moves against its drive (gain -1.000)");
  EXPECT_EQ(finding(0.0, 1e5, "").substr(0, 18), "its gain is 0.000,");
  EXPECT_EQ(finding(1.0, 1e5, "5 ms"), "its delay is 7.81 ms, stated at most 5 ms");
  EXPECT_EQ(finding(1.0, -1e5, "").substr(0, 39),
            "its force falls where it moves forward:");
}

TEST(RigService, ExercisesNothingBeyondALimitOrWithoutItsPerson) {
  Bench bench;
  const auto refused = [&](const RigRequest& request) {
    std::string why = bench.node.command_rig(kAda, request);
    if (!why.empty()) return why;
    bench.run_for(0.1);
    return bench.outcome();
  };
  RigRequest other = exercise();
  other.amount = "10mm,0.4mrad";
  EXPECT_NE(refused(other).find("would reach 81.5"), std::string::npos) << refused(other);
  other = exercise();
  other.frequency = "0.1Hz";
  other.amount = "61mm,0.4mrad";
  EXPECT_NE(refused(other).find("the sine would take actuator 1 to -61 mm, beyond"),
            std::string::npos);
  for (const char* frequency : {"", "1", "0Hz", "-1Hz", "nanHz", "1kHz"}) {
    other = exercise();
    other.frequency = frequency;
    EXPECT_NE(refused(other).find("--frequency 0.5Hz"), std::string::npos) << frequency;
  }
  other.frequency = "9Hz";
  EXPECT_NE(refused(other).find("is above 8.000 Hz"), std::string::npos) << refused(other);
  other.frequency = "1e-300Hz";
  EXPECT_NE(refused(other).find("longer than an hour"), std::string::npos);
  other = exercise();
  other.force.clear();
  EXPECT_NE(refused(other).find("--force 10kN"), std::string::npos);
  other = exercise();
  other.delay = "soon";
  EXPECT_NE(refused(other).find("--delay soon is no time"), std::string::npos);
  EXPECT_EQ(bench.rig.writes, 0);
  // Its person is silent in the middle: the rig holds where it is.
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.hold_down(3.0);
  bench.run_for(3.0);
  EXPECT_FALSE(bench.report().done);
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_NE(bench.report().outcome.find("not repeated for 1 s"), std::string::npos);
  EXPECT_NE(bench.node.state(), kFault);
}

TEST(RigService, ExercisesNothingForAPersonWhoIsGoneWhenTheRigIsReady) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.run_for(3.0);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_EQ(bench.rig.fastest, ActuatorVector::Zero(2));
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_NE(bench.report().outcome.find("the command was not repeated for 1 s"),
            std::string::npos)
      << bench.report().outcome;
  // One who answers late begins it then, and it is measured as ever.
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.run_for(0.9);
  EXPECT_EQ(bench.rig.fastest, ActuatorVector::Zero(2));
  bench.hold_down(16.0);
  ASSERT_TRUE(bench.report().done) << bench.report().outcome;
  ASSERT_EQ(bench.report().exercise.size(), 2U);
  for (const ExerciseResult& each : bench.report().exercise) {
    EXPECT_NEAR(each.gain, 1.0, 1e-9);
    EXPECT_NEAR(each.delay, kTick, 1e-9);
  }
}

TEST(RigService, LetsTheProgramOfAnExerciseRepeatItAndAnyoneEndIt) {
  Bench bench;
  RigRequest swing = exercise();
  swing.token = "first";
  EXPECT_EQ(bench.node.command_rig(kAda, swing), "");
  bench.run_for(0.1);
  const auto word = [&bench](const std::string& by, Action action,
                             const std::string& token) {
    return bench.node.command_rig(by, {.action = action, .token = token});
  };
  for (const Action action : {Action::kContinue, Action::kEnd})
    EXPECT_NE(word(kAda, action, "before").find("another one is under way: exercise of"),
              std::string::npos);
  EXPECT_NE(word("bob@lab", Action::kContinue, "first").find("only the person who gave it"),
            std::string::npos);
  EXPECT_EQ(bench.rig.fastest, ActuatorVector::Zero(2)) << "another one began it";
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(word(kAda, Action::kContinue, "first"), "");
    bench.run_for(0.5);
  }
  EXPECT_GT(bench.rig.fastest[0], 0.0);
  EXPECT_EQ(word("bob@lab", Action::kEnd, ""), "");
  const int before = bench.rig.writes;
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_FALSE(bench.report().done);
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_NE(bench.report().outcome.find("stopped by bob@lab"), std::string::npos);
}

TEST(RigService, ExercisesNothingFromADriveFarFromTheRig) {
  Bench bench({.tracking_error = std::numeric_limits<double>::infinity()});
  bench.rig.reports = false;
  bench.rig.drive << 0.0149, 0.0;
  for (const char* told : {"", "1.49mm,0mrad"}) {
    RigRequest swing = exercise();
    swing.drive = told;
    EXPECT_EQ(bench.node.command_rig(kAda, swing), "");
    bench.run_for(0.1);
    EXPECT_NE(bench.outcome(), "") << told;
  }
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(RigService, SaysThatTheSafeActionOfAnExerciseIsNotEndedAndChangesNoTareInIt) {
  Bench bench({.ramps_home = true});
  // 55 mm of 100 kN/m are more than the limit of 5 kN.
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kExercise,
                                          .actuator = "1",
                                          .amount = "55mm",
                                          .force = "9kN",
                                          .frequency = "0.1Hz"}),
            "");
  for (int n = 0; n < 100 && bench.node.state() != kFault; ++n) bench.hold_down(0.5);
  ASSERT_EQ(bench.report().state, "acts safely") << bench.report().outcome;
  EXPECT_NE(bench.node.reason().find("during the exercise of actuator 1"),
            std::string::npos);
  for (const std::string& why :
       {bench.node.command_rig("bob@lab", {.action = Action::kEnd}),
        bench.node.hold("bob@lab", "a noise"), bench.node.stop("bob@lab", "a noise")})
    EXPECT_NE(why.find("the equipment's emergency stop ends it"), std::string::npos) << why;
  for (const Action action : {Action::kTare, Action::kUndoTare, Action::kExercise})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action}).find("is under way"),
              std::string::npos);
  bench.run_for(120.0);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_FALSE(bench.report().done);
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_EQ(bench.rig.drive, ActuatorVector::Zero(2));
}

TEST(RigService, RefusesWhatNoLimitAllowsBeforeAnythingMoves) {
  Bench bench;
  const auto refused = [&](const RigRequest& request) {
    std::string why = bench.node.command_rig(kAda, request);
    if (!why.empty()) return why;
    bench.run_for(0.1);
    return bench.outcome();
  };
  const RigRequest jog{
      .action = Action::kJog, .actuator = "1", .amount = "2mm", .rate = "1mm/s"};
  RigRequest other = jog;
  other.amount = "61mm";
  EXPECT_NE(refused(other).find("would take actuator 1 to 61 mm, beyond its limit 60 mm "
                                "(site limit, site.yaml:9"),
            std::string::npos)
      << refused(other);
  other = jog;
  other.rate = "80mm/s";
  EXPECT_NE(refused(other).find("is above 75 mm/s, half of its limit"), std::string::npos)
      << refused(other);
  other = jog;
  other.amount = "2 mrad";
  EXPECT_NE(refused(other).find("is no way with its unit"), std::string::npos);
  other = jog;
  other.actuator = "3";
  EXPECT_NE(refused(other).find("the rig has no actuator 3; give one of 1, 2"),
            std::string::npos);
  other = jog;
  other.actuator.clear();
  EXPECT_NE(refused(other).find("a jog moves one actuator"), std::string::npos);
  other = jog;
  other.rate = "1 um/s";
  EXPECT_NE(refused(other).find("would take 63 min"), std::string::npos) << refused(other);
  other = jog;
  other.rate.clear();
  EXPECT_NE(refused(other).find("--rate"), std::string::npos);
  EXPECT_NE(refused({.action = Action::kHome, .rate = "1mm/s,1mrad/s"}).find("--force"),
            std::string::npos);
  bench.rig.drive[0] = 0.07;
  EXPECT_NE(refused(jog).find("by the equipment's own means"), std::string::npos);
  EXPECT_EQ(bench.rig.writes, 0);
  bench.rig.drive[0] = 0.0;
  bench.kept.broken = "the diary cannot be written";
  EXPECT_EQ(refused(jog), "the diary cannot be written");
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(RigService, MovesNothingThatNothingStopsWhenTheProgramDies) {
  Bench bench({.watchdog = false});
  EXPECT_NE(bench.jog("2mm", "1mm/s").find("no hardware watchdog"), std::string::npos);
  bench.run_for(0.1);
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
}

TEST(RigService, NeedsTheDriveInForceOfEquipmentThatDoesNotReportIt) {
  Bench bench;
  bench.rig.reports = false;
  bench.rig.gain = 0.9;
  bench.rig.drive << 0.01, 0.0;
  EXPECT_EQ(bench.jog("2mm", "1mm/s"), "");
  bench.run_for(0.1);
  const std::string why = bench.outcome();
  EXPECT_NE(why.find("nobody knows which drive"), std::string::npos) << why;
  EXPECT_NE(why.find("9 mm, 0 mrad"), std::string::npos) << why;
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "10mm,0mrad"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.012, 1e-12);
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9)) << "it jumped";
  // A misread one is refused.
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "-1mm,0mrad"), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("of its tracking error"), std::string::npos);
  // Now this process knows it.
  EXPECT_EQ(bench.jog("-12mm", "4mm/s"), "");
  bench.hold_down(8.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.0, 1e-12);
  EXPECT_LE(bench.rig.fastest[0], 4e-3 * kTick * (1.0 + 1e-9)) << "it jumped";
  // Others move the rig by its own controls.
  bench.rig.drive[0] = 0.02;
  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("does not stand where this site left it"),
            std::string::npos);
}

TEST(RigService, BelievesNoDriveFarFromARigWithoutALimitOfItsTrackingError) {
  Bench bench({.tracking_error = std::numeric_limits<double>::infinity()});
  bench.rig.reports = false;
  bench.rig.drive << 0.0149, 0.0;
  for (const char* told : {"1.49mm,0mrad", "149 mm,0mrad"}) {
    EXPECT_EQ(bench.jog("2mm", "1mm/s", told), "");
    bench.run_for(0.1);
    EXPECT_NE(bench.outcome(), "") << told;
  }
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "14.94 mm,0mrad"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
}

// ---------------------------------------------------------------- faults

TEST(RigService, LatchesAFaultThatAPersonClears) {
  Bench bench;
  EXPECT_EQ(bench.jog("55mm", "10mm/s"), "");
  bench.hold_down(11.0);
  EXPECT_EQ(bench.node.state(), kFault);
  // 5 kN of 100 kN/m.
  EXPECT_NEAR(bench.rig.drive[0], 0.05, 2e-4);
  EXPECT_NE(bench.node.reason().find("force"), std::string::npos) << bench.node.reason();
  EXPECT_NE(bench.node.reason().find("during the jog of actuator 1"), std::string::npos);
  EXPECT_NE(bench.node.reason().find("site.yaml:9"), std::string::npos);
  const int before = bench.rig.writes;
  EXPECT_NE(bench.jog("-1mm", "1mm/s").find("FAULT"), std::string::npos);
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_EQ(bench.node.clear(kAda), "");
  EXPECT_NE(bench.node.state(), kFault);
  bench.rig.stiffness = 1e3;  // the load was taken off
  EXPECT_EQ(bench.jog("-1mm", "1mm/s"), "");
  bench.hold_down(4.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
}

TEST(RigService, HoldsARigWhoseProtectionActs) {
  Bench bench;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.hold_down(2.0);
  bench.rig.status = AdapterStatus::kTripped;
  const int before = bench.rig.writes;
  bench.run_for(0.5);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_EQ(bench.node.state(), kFault);
  EXPECT_NE(bench.node.reason().find("the emergency stop is open"), std::string::npos);
}

TEST(RigService, SaysThatASafeActionIsNotEndedByAHold) {
  Bench bench({.ramps_home = true});
  EXPECT_EQ(bench.jog("55mm", "70mm/s"), "");
  for (int n = 0; n < 20 && bench.node.state() != kFault; ++n) bench.hold_down(0.5);
  ASSERT_EQ(bench.report().state, "acts safely") << bench.report().outcome;
  for (const std::string& why :
       {bench.node.command_rig("bob@lab", {.action = Action::kEnd}),
        bench.node.hold("bob@lab", "a noise"), bench.node.stop("bob@lab", "a noise")})
    EXPECT_NE(why.find("the equipment's emergency stop ends it"), std::string::npos) << why;
  bench.run_for(120.0);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_EQ(bench.rig.drive, ActuatorVector::Zero(2));
}

TEST(RigService, BeginsNothingInAFaultThatNobodyHasCleared) {
  Bench bench({.fault = "force 9 kN at actuator 1 is above its limit 5 kN"});
  EXPECT_NE(bench.jog("1mm", "1mm/s").find("FAULT (force 9 kN"), std::string::npos);
  for (const Action action : {Action::kZero, Action::kTare, Action::kUndoTare})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action}).find("FAULT"),
              std::string::npos);
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.prepared, 0);
  EXPECT_EQ(bench.rig.writes, 0);
}

// ---------------------------------------------------------------- beside tests

TEST(RigService, TakesNoTestWhileACommandIsUnderWayAndTakesItAfterwards) {
  Bench bench;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  EXPECT_EQ(bench.jog("2mm", "1mm/s"), "");
  bench.run_for(0.4);
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("jog of actuator 1"),
            std::string::npos);
  // So is one that wants to resume.
  bench.configure.resume = true;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Rejection>(0), 2);
  bench.configure.resume = false;
  EXPECT_EQ(bench.report().state, "moves");
  bench.hold_down(6.0);
  ASSERT_TRUE(bench.report().done) << bench.report().outcome;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 1);
}

std::unique_ptr<journal::JournalRecorder> recorder_in(
    const testing::TemporaryFolder& folder) {
  journal::JournalRecorder::Settings settings;
  settings.folder = folder.path();
  settings.name = settings.node = "west";
  return std::make_unique<journal::JournalRecorder>(settings);
}

/// The record of a test that ends with its site's process, after step 0.
/// @param drive  that both actuators were given last; empty: none is on record
void cut_off_a_test(const testing::TemporaryFolder& folder,
                    const std::optional<DriveInForce>& drive = std::nullopt) {
  const auto journal = recorder_in(folder);
  SiteRecorder record(journal->recording());
  Configure configure;
  configure.session = kSession;
  configure.test = "frame";
  configure.mode = name(ExecutionMode::kPseudoDynamic);
  configure.time_step = 0.01;
  configure.ticks_per_step = 5;
  configure.layout = {{.name = "floor.x"}};
  const std::vector<ActuatorDescription> actuators{{"1", DofKind::kTranslation},
                                                   {"2", DofKind::kRotation}};
  SiteSchema schema("west", configure.layout, actuators, {});
  schema.add_drives(actuators);
  record.open(configure, schema, "as agreed", "1.0");
  const ActuatorVector both = ActuatorVector::Zero(2);
  StepResponse response;
  response.session = kSession;
  response.measured = response.force = InterfaceVector::Zero(1);
  response.actuators = {both, both, both, both, both, both};
  response.step = kInitialStep;
  record.closing_row(response, 0);
  StepCommand command;
  command.step = response.step = 0;
  command.target.displacement = InterfaceVector::Zero(1);
  record.intent(command);
  record.result(response, 5);
  if (drive) record.keep_told(*drive, 5);
}

TEST(RigService, MovesNothingBesideATestThatWasCutOffBeforeAPersonSetsItAside) {
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder);
  const auto journal = recorder_in(folder);
  Bench bench({}, journal.get());
  const std::string refusal = bench.jog("1mm", "1mm/s");
  EXPECT_NE(refusal.find("was cut off at step 0 "), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("trestle rig set-aside"), std::string::npos) << refusal;
  EXPECT_EQ(bench.rig.writes, 0);

  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kSetAside}), "");
  EXPECT_FALSE(bench.node.command_under_way());
  EXPECT_TRUE(bench.report().done);
  EXPECT_NE(bench.report().outcome.find("cannot be resumed any longer"), std::string::npos);
  EXPECT_EQ(bench.rig.writes, 0) << "it moves nothing";
  ASSERT_EQ(bench.kept.acts.size(), 1U);
  EXPECT_EQ(bench.kept.acts[0].who, kAda);
  EXPECT_NE(bench.kept.acts[0].text.find("to be set aside"), std::string::npos);

  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "");
  bench.hold_down(3.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  // The integrator comes back after all.
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.configure.resume = true;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("no record of this session"),
            std::string::npos);
}

TEST(RigService, BeginsFromTheDriveOfATestThatWasSetAside) {
  ActuatorVector drive = ActuatorVector::Zero(2);
  drive[0] = 0.002;
  const double gain = 0.9;  // the servo's offset: 0.2 mm, beyond a transducer's noise
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder, DriveInForce{drive, drive, drive, gain * drive});
  const auto journal = recorder_in(folder);
  Bench bench({}, journal.get());
  bench.rig.reports = false;
  bench.rig.gain = gain;
  bench.rig.drive = drive;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kSetAside}), "");
  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "") << "no --drive: it is on record";
  bench.hold_down(3.0);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.003, 1e-12) << "1 mm from the drive";
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9));

  // The same record, of a rig that was since moved by other means, released, or released by
  // a process before.
  enum class Since { kMoved, kReleased, kReleasedBefore };
  for (const Since what : {Since::kMoved, Since::kReleased, Since::kReleasedBefore}) {
    const testing::TemporaryFolder other;
    cut_off_a_test(other, DriveInForce{drive, drive, drive, gain * drive});
    const auto record = recorder_in(other);
    Special before;
    if (what == Since::kReleasedBefore)
      before.kept.acts = {{kAda, "operator channel", "rig",
                           "2026-11-27T09:12:03.000Z release of the pressure: commanded"}};
    Bench since(before, record.get());
    since.rig.reports = false;
    since.rig.gain = gain;
    since.rig.drive = what == Since::kMoved ? -drive : drive;
    if (what == Since::kReleased) {
      EXPECT_EQ(since.node.command_rig(kAda, {.action = Action::kRelease}), "");
      since.run_for(0.1);
      EXPECT_EQ(since.rig.released, 1) << since.outcome();
    }
    EXPECT_EQ(since.node.command_rig(kAda, {.action = Action::kSetAside}), "");
    EXPECT_EQ(since.jog("1mm", "1mm/s"), "");
    since.run_for(0.1);
    EXPECT_NE(since.outcome().find("does not stand where this site left it"),
              std::string::npos)
        << static_cast<int>(what);
    EXPECT_EQ(since.rig.writes, 0);
  }
}

TEST(RigService, SetsNothingAsideWhereNoTestWasCutOffOrNobodyWouldKnow) {
  Bench bench;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kSetAside}),
            "no test was cut off here; there is nothing to set aside");
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder);
  const auto journal = recorder_in(folder);
  Bench broken({}, journal.get());
  broken.kept.broken = "the diary cannot be written";
  EXPECT_NE(broken.node.command_rig(kAda, {.action = Action::kSetAside})
                .find("is not set aside: the diary cannot be written"),
            std::string::npos);
  EXPECT_NE(broken.jog("1mm", "1mm/s").find("was cut off at step 0 "), std::string::npos);
}

TEST(RigService, CommandsNothingInASession) {
  Bench bench;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  ASSERT_EQ(bench.node.state(), kConfigured);
  const int prepared = bench.rig.prepared;
  for (const Action action : {Action::kStatus, Action::kZero, Action::kTare,
                              Action::kUndoTare, Action::kExercise, Action::kRelease})
    EXPECT_NE(
        bench.node.command_rig(kAda, {.action = action}).find("between two tests only"),
        std::string::npos);
  EXPECT_NE(bench.jog("1mm", "1mm/s").find("between two tests only"), std::string::npos);
  EXPECT_EQ(bench.rig.prepared, prepared);
  EXPECT_EQ(bench.rig.released, 0);
}

TEST(RigService, GivesItsActsToTheRecordOfTheNextTestAndItsDriveToTheFirstStep) {
  Bench bench;
  bench.rig.reports = false;
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "measured"), "");
  bench.hold_down(6.0);
  ASSERT_TRUE(bench.report().done) << bench.report().outcome;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  const auto& audits = bench.recorder.audits;
  EXPECT_EQ(std::count_if(audits.begin(), audits.end(),
                          [](const AuditEntry& entry) { return entry.what == "rig"; }),
            2);
  EXPECT_TRUE(bench.kept.acts.empty());
  EXPECT_EQ(bench.kept.handed_over.size(), 2U);
  bench.rig.gain = 1.0 - 1e-5;  // it would jump if it began at the measurement
  bench.gets(Arm{kSession,
                 session::contract_hash(bench.transport.last<Configured>().contract),
                 "ada@lab"});
  bench.gets(Start{kSession, bench.clock.now()});
  bench.run_for(0.5);
  StepCommand command;
  command.session = kSession;
  command.step = 0;
  command.target = InterfaceMotion::zero(2);
  command.target.displacement << 0.002, 0.0;
  const int before = bench.rig.writes;
  bench.transport.arrives(0, command);
  bench.run_for(0.2);
  EXPECT_GT(bench.rig.writes, before);
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9));
}

TEST(RigService, HoldsWhenAPersonHoldsTheSiteOrItsServerEnds) {
  for (const bool leaves : {false, true}) {
    Bench bench;
    EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
    bench.hold_down(2.0);
    const int before = bench.rig.writes;
    const int holds = bench.rig.holds;
    if (leaves)
      bench.node.leave("bob@lab", "signal", "SIGTERM");
    else
      EXPECT_EQ(bench.node.hold("bob@lab", "a noise"), "");
    EXPECT_GT(bench.rig.holds, holds);
    bench.run_for(0.5);
    EXPECT_EQ(bench.rig.writes, before);
    EXPECT_FALSE(bench.report().done);
    EXPECT_EQ(bench.report().state, "over");
  }
}

TEST(RigService, ReleasesThePressureAsTheDriverOffersItAndForgetsTheDrive) {
  Bench bench;
  bench.rig.reports = false;
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "measured"), "");
  bench.hold_down(6.0);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kRelease}), "");
  bench.run_for(0.1);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(bench.rig.released, 1);
  EXPECT_TRUE(bench.report().done);
  // A person may be at the rig: it is taken up by a person's command alone.
  const int prepared = bench.rig.prepared;
  for (const Action action : {Action::kStatus, Action::kTare, Action::kUndoTare})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action}).find("was released"),
              std::string::npos);
  bench.run_for(0.1);
  EXPECT_EQ(bench.rig.prepared, prepared);
  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("nobody knows which drive"), std::string::npos);
  EXPECT_EQ(bench.node.command_rig("", {.action = Action::kStatus}), "");
  bench.run_for(1.5);
  bench.rig.offers_release = false;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kRelease}), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("offers no release"), std::string::npos);
}

}  // namespace
}  // namespace trestle::site_node::rig_service_test
