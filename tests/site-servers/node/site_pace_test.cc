#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "composition/sites/control_chain_factory.h"
#include "core/session/session_contract.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::site_pace_test {
namespace {

using std::chrono::milliseconds;
using testing::after;
using testing::at;
using enum session::SessionState;

const SessionId kSession{1, 2, 3};
constexpr double kStep = 0.01;

class Rig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, real, false, 0.0};
  }
  void prepare(const RigRun& run) override { tick = run.tick; }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    ++reads;
    sensed.displacement.setConstant(1, position);
    sensed.force.setConstant(1, 1e6 * position);
    return status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    ++writes;
    position = drive[0];
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override { ++saves; }
  void restore(SnapshotReader& /*snapshot*/) override {}

  bool real = false;
  double position = 0.0;
  double tick = 0.0;
  AdapterStatus status = AdapterStatus::kOk;
  int reads = 0;
  int writes = 0;
  int holds = 0;
  mutable int saves = 0;
};

/// A paced site on the virtual clock, whose integrator is a script.
struct Bench {
  explicit Bench(ExecutionMode with, bool real = false)
      : rig(made(real)),
        node({.name = "west",
              .software = "0.2",
              .loading_frame = std::make_unique<kinematics::MatrixFrame>(
                  kinematics::MatrixFrame::identity(1)),
              .control_chain = &composition::control_chain_factory(),
              .limits = {},
              .limit_place = {},
              .target_limits = {{"x", 0.05}},
              .shares_clock = true},
             rig, transport, {recorder.recording()}, clock),
        mode(with) {
    configure.session = kSession;
    configure.test = "frame";
    configure.mode = name(mode);
    configure.time_step = kStep;
    configure.ticks_per_step = 5;
    configure.steps_planned = 1000;
    configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
    if (real) {  // without which it does not move
      configure.limits.resize(1);
      configure.limits[0].displacement = 1.0;
      configure.limits[0].rate = 100.0;
      configure.limits[0].force = 1e9;
    }
    configure.heartbeat_period = 0.5;
    configure.watchdog = 2.0;
    configure.pace.latency_steps = mode == ExecutionMode::kRealTime ? 1 : 0;
    configure.pace.rate = 0.1;
    configure.pace.settle = 0.01;
    configure.pace.average = 0.004;
  }
  static Rig made(bool real) {
    Rig rig;
    rig.real = real;
    return rig;
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
  void start() {
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(configure);
    gets(Arm{kSession, session::contract_hash(transport.last<Configured>().contract),
             "ada@lab"});
    zero = clock.now() + milliseconds(20);
    gets(Start{kSession, zero});
  }
  void step(std::int64_t number, double target = 0.01) {
    StepCommand command;
    command.session = kSession;
    command.step = number;
    command.due = at(kStep * static_cast<double>(number + 1));
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    transport.arrives(0, command);
    run_until(clock.now());
  }
  std::string refusal() const { return transport.last<Rejection>().reason; }
  int refusals() const { return transport.sent<Rejection>(0); }
  const StepResponse& answer() const { return transport.responses.back(); }
  bool noted(const std::string& event) const {
    for (const std::string& each : recorder.events)
      if (each == event) return true;
    return false;
  }
  std::vector<std::string> events_of(const std::string& kind) const {
    std::vector<std::string> found;
    for (const std::string& each : recorder.events)
      if (each.starts_with(kind + ": ")) found.push_back(each);
    return found;
  }

  testing::ScriptedTransport transport;
  testing::FakeRecorder recorder;
  Rig rig;
  timing::VirtualClock clock;
  SiteNode node;
  ExecutionMode mode;
  Configure configure;
  TimePoint zero{};
};

constexpr ExecutionMode kPacedModes[] = {
    ExecutionMode::kPseudoDynamic, ExecutionMode::kContinuous, ExecutionMode::kRealTime};

TEST(SitePace, FollowsATestInEveryMode) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    ASSERT_EQ(bench.transport.responses.size(), 1U) << name(mode);
    EXPECT_EQ(bench.answer().step, kInitialStep);
    EXPECT_EQ(bench.rig.writes, 0) << "the opening read comes before any motion";
    for (int k = 0; k < 5; ++k) {
      bench.step(k, 0.001 * (k + 1));
      if (mode == ExecutionMode::kRealTime)
        bench.run_until(bench.zero + after(kStep * (k + 0.5)));
      else
        bench.run_for(0.2);
    }
    bench.run_for(0.5);
    const auto& responses = bench.transport.responses;
    ASSERT_GE(responses.size(), 6U) << name(mode);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(responses[k + 1].session, kSession);
      EXPECT_EQ(responses[k + 1].step, static_cast<std::int64_t>(k));
      EXPECT_FALSE(responses[k + 1].missed);
      EXPECT_NEAR(responses[k + 1].measured[0], 0.001 * (static_cast<double>(k) + 1),
                  1e-17);
      EXPECT_GE(responses[k + 1].stamps.started, responses[k + 1].stamps.received);
      EXPECT_GT(responses[k + 1].stamps.closed, responses[k + 1].stamps.driven);
    }
    EXPECT_EQ(bench.recorder.sinks[0].pushed, 5) << "intents";
    EXPECT_EQ(bench.recorder.sinks[1].pushed, 5) << "results; what was missed has none";
    bench.gets(Stop{kSession, "complete"});
    EXPECT_EQ(bench.node.state(), kStopping);
    bench.run_for(3.0);
    EXPECT_EQ(bench.node.state(), kConfigured);
    EXPECT_EQ(bench.rig.position, 0.0);
    const Stopped& stopped = bench.transport.last<Stopped>();
    EXPECT_EQ(stopped.ticks, bench.rig.writes);
    EXPECT_GE(stopped.last_step, 4);
    if (mode == ExecutionMode::kRealTime) {
      EXPECT_GT(stopped.pace.missed, 40) << "half a second without targets";
    }
    if (mode == ExecutionMode::kContinuous) {
      EXPECT_GT(stopped.pace.held, 200) << "and here";
      EXPECT_GT(stopped.pace.slowed, 0);
    }
    if (mode == ExecutionMode::kPseudoDynamic) {
      EXPECT_EQ(stopped.pace, TimingStatistics{}) << "it waits";
    }
    EXPECT_EQ(bench.refusals(), 0);
  }
}

TEST(SitePace, MakesNoStateForARecordThatKeepsNone) {
  for (const ExecutionMode mode : kPacedModes) {
    for (const bool forgets : {false, true}) {
      Bench bench(mode);
      bench.recorder.forgets_state = forgets;
      bench.start();
      bench.step(0);
      bench.run_for(0.5);
      EXPECT_GE(bench.node.last_step(), 0) << name(mode);
      EXPECT_EQ(bench.rig.saves > 0, !forgets) << name(mode);
    }
  }
}

TEST(SitePace, TicksTheRigByTheWallsTime) {
  Bench bench(ExecutionMode::kContinuous);
  bench.configure.pace.scale = 4.0;
  bench.start();
  EXPECT_DOUBLE_EQ(bench.rig.tick, 0.008);
}

TEST(SitePace, RefusesAPaceThatMakesNoSense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(PacingSettings&)>> cases{
      [](PacingSettings& pace) { pace.scale = 0.5; },
      [](PacingSettings& pace) { pace.scale = kNan; },
      [](PacingSettings& pace) { pace.order = 0; },
      [](PacingSettings& pace) { pace.order = 5; },
      [](PacingSettings& pace) { pace.slow_down_after = 0.0; },
      [](PacingSettings& pace) { pace.slow_down_after = kNan; },
      [](PacingSettings& pace) { pace.hold_after = 0.5; },
      [](PacingSettings& pace) { pace.hold_after = 1.1; },
      [](PacingSettings& pace) { pace.rate = 0.0; },
      [](PacingSettings& pace) { pace.rotation_rate = -1.0; },
      [](PacingSettings& pace) { pace.settle = -0.1; },
      [](PacingSettings& pace) { pace.average = kNan; },
      [](PacingSettings& pace) { pace.latency_steps = -1; },
      [](PacingSettings& pace) {
        pace.latency_steps = 1000;
      }};
  for (std::size_t n = 0; n < cases.size(); ++n) {
    Bench bench(ExecutionMode::kContinuous);
    bench.gets(Welcome{kProtocolVersion, "0.1"});
    cases[n](bench.configure.pace);
    bench.gets(bench.configure);
    EXPECT_EQ(bench.refusal(), "a setting of mode continuous makes no sense") << n;
    EXPECT_EQ(bench.node.state(), kConnected);
  }
  Bench bench(ExecutionMode::kContinuous);
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.configure.mode = "sideways";
  bench.gets(bench.configure);
  EXPECT_EQ(bench.refusal(), "it cannot run in mode sideways");
}

TEST(SitePace, RefusesLimitsThatWouldPutTheLaboratorysOutOfForce) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto refusal = [](const std::function<void(Configure&)>& change) {
    Bench bench(ExecutionMode::kContinuous);
    bench.configure.limits = {{}};
    change(bench.configure);
    bench.gets(Welcome{kProtocolVersion, "0.1"});
    bench.gets(bench.configure);
    EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
    return bench.refusals() == 1 ? bench.refusal() : "";
  };
  for (const double bad : {none, -0.1, 0.0}) {
    for (const auto member : {&InterfaceDof::displacement_limit, &InterfaceDof::rate_limit,
                              &InterfaceDof::acceleration_limit})
      EXPECT_EQ(refusal([=](Configure& it) { it.layout[0].*member = bad; }),
                "the test states " + std::to_string(bad) +
                    " as a limit of floor.x; a limit must be above zero");
    for (const auto member :
         {&ActuatorLimits::displacement, &ActuatorLimits::rate,
          &ActuatorLimits::acceleration, &ActuatorLimits::force,
          &ActuatorLimits::tracking_error, &ActuatorLimits::energy_error})
      EXPECT_EQ(refusal([=](Configure& it) { it.limits[0].*member = bad; }),
                "the test states " + std::to_string(bad) +
                    " as a limit of actuator 1; a limit must be above zero");
  }
  EXPECT_NE(refusal([=](Configure& it) { it.limits[0].tracking_dwell = none; }), "");
  EXPECT_NE(refusal([=](Configure& it) { it.limits.resize(2); }), "");
}

TEST(SitePace, ExecutesAStepOnceHoweverOftenItComes) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    bench.step(0, 0.01);
    bench.run_for(0.001);
    bench.step(0, 0.04);  // again, while it is under way
    bench.run_until(bench.zero + after(0.2));
    const std::size_t answers = bench.transport.responses.size();
    ASSERT_GE(answers, 2U);
    const StepResponse first = bench.transport.responses[1];
    EXPECT_NEAR(first.measured[0], 0.01, 1e-17);
    EXPECT_EQ(bench.recorder.sinks[0].pushed, 1) << "one intent";
    if (mode == ExecutionMode::kRealTime)
      continue;                 // there the next steps were missed meanwhile
    bench.rig.position = 0.02;  // would be seen by a second read
    bench.step(0, 0.04);
    ASSERT_EQ(bench.transport.responses.size(), answers + 1);
    EXPECT_EQ(bench.answer().measured, first.measured);
    EXPECT_EQ(bench.answer().stamps, first.stamps);
    EXPECT_EQ(bench.refusals(), 0);
  }
}

/// Ticks on while virtual time stands still for the record.
void wait_for_record(Bench& bench) {
  for (int n = 0; n < 300; ++n) {
    for (int again = 0; again < 4; ++again) bench.node.tick(bench.clock.now());
    bench.clock.advance_to(bench.clock.now() + after(1e-3));
  }
}

TEST(SitePace, AnswersAStepThatIsAskedForAgainOnlyWhenTheAnswerIsSafe) {
  Bench bench(ExecutionMode::kPseudoDynamic);
  bench.start();
  const std::size_t before = bench.transport.responses.size();
  bench.recorder.safe = bench.recorder.secure_asked + 1;  // the intent, not the result
  StepCommand command;
  command.session = kSession;
  command.step = 0;
  command.target = InterfaceMotion::zero(1);
  command.target.displacement[0] = 1e-3;
  bench.transport.arrives(0, command);
  wait_for_record(bench);
  ASSERT_EQ(bench.node.last_step(), 0);
  bench.transport.arrives(0, command);
  wait_for_record(bench);
  EXPECT_EQ(bench.transport.responses.size(), before)
      << "an answer that power loss could take";
  bench.recorder.safe = std::numeric_limits<std::uint64_t>::max();
  wait_for_record(bench);
  ASSERT_EQ(bench.transport.responses.size(), before + 1);
  bench.transport.arrives(0, command);
  wait_for_record(bench);
  ASSERT_EQ(bench.transport.responses.size(), before + 2);
  EXPECT_EQ(bench.answer().measured, bench.transport.responses[before].measured);
}

// After a restart of the site it would be executed again.
TEST(SitePace, AnswersNoStepWhoseRowTheRecordHasLost) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    const std::size_t before = bench.transport.responses.size();
    auto& results = bench.recorder.sinks[1];
    const int kept = results.pushed;
    results.loses = true;
    bench.step(0, 1e-3);
    wait_for_record(bench);
    ASSERT_EQ(bench.node.state(), kFault) << name(mode);
    EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kJournal);
    ASSERT_EQ(bench.node.last_step(), 0);
    bench.step(0, 1e-3);
    EXPECT_EQ(bench.transport.responses.size(), before) << name(mode);
    results.loses = false;
    ASSERT_EQ(bench.node.clear("ada@lab"), "");
    for (int n = 0; n < 300 && bench.node.state() != kHolding; ++n) bench.run_for(0.01);
    if (mode == ExecutionMode::kRealTime)
      bench.zero = bench.clock.now() + milliseconds(20) - after(2 * kStep);
    bench.gets(Resume{kSession, 1, bench.zero,
                      session::contract_hash(bench.transport.last<Configured>().contract),
                      "ada@lab"});
    bench.step(0, 1e-3);
    wait_for_record(bench);
    EXPECT_EQ(bench.node.state(), kFault) << name(mode) << ": only a new start helps";
    EXPECT_EQ(bench.transport.responses.size(), before) << name(mode);
    EXPECT_EQ(results.pushed, kept) << name(mode) << ": no row is pushed twice";
  }
}

TEST(SitePace, RefusesAStepWhileAnotherIsUnderWay) {
  for (const ExecutionMode mode :
       {ExecutionMode::kPseudoDynamic, ExecutionMode::kContinuous}) {
    Bench bench(mode);
    bench.start();
    for (const int k : {0, 1}) {
      StepCommand command;
      command.session = kSession;
      command.step = k;
      command.due = at(0.1);
      command.target = InterfaceMotion::zero(1);
      command.target.displacement[0] = 1e-3 * (k + 1);
      bench.transport.arrives(0, command);  // back to back
    }
    bench.run_until(bench.clock.now());
    EXPECT_EQ(bench.refusals(), 1) << name(mode);
    EXPECT_NE(bench.refusal().find("step 1 came while step 0 is under way"),
              std::string::npos)
        << bench.refusal();
    bench.run_for(0.3);
    EXPECT_EQ(bench.node.last_step(), 0);
    EXPECT_EQ(bench.answer().step, 0);
    EXPECT_NEAR(bench.answer().measured[0], 1e-3, 1e-9) << "the first one's target";
    bench.step(1, 2e-3);
    bench.run_for(0.3);
    EXPECT_EQ(bench.node.last_step(), 1);
    EXPECT_EQ(bench.recorder.sinks[1].pushed, 2) << "no gap among the results";
  }
}

TEST(SitePace, RefusesAGapWhereStepsCannotBeMissed) {
  for (const ExecutionMode mode :
       {ExecutionMode::kPseudoDynamic, ExecutionMode::kContinuous}) {
    Bench bench(mode);
    bench.start();
    bench.step(1);
    EXPECT_EQ(bench.refusal(), "step 1 came; the next one is 0");
    bench.step(0);
    bench.step(2);
    EXPECT_EQ(bench.refusal(), "step 2 came; the next one is 1");
    EXPECT_EQ(bench.node.state(), kRunning);
  }
}

TEST(SitePace, NamesWhatItMissedInRealTime) {
  Bench bench(ExecutionMode::kRealTime);
  bench.start();
  bench.step(0, 0.001);
  bench.step(2, 0.003);  // step 1 is lost
  bench.run_until(bench.zero + after(0.0395));
  EXPECT_EQ(bench.refusals(), 0);
  EXPECT_FALSE(bench.noted("missed: step 1")) << "a resume could still execute it";
  bench.run_until(bench.zero + after(0.0405));
  EXPECT_TRUE(bench.noted("missed: step 1"));
  EXPECT_FALSE(bench.noted("missed: step 0"));
  EXPECT_EQ(bench.answer().step, 2);
  EXPECT_EQ(bench.answer().measured[0], 0.003);
  ASSERT_EQ(bench.transport.responses.size(), 4U);
  EXPECT_TRUE(bench.transport.responses[2].missed);
  bench.step(3, 0.02);  // was due at 40 ms
  bench.run_until(bench.zero + after(0.0605));
  EXPECT_TRUE(bench.noted("late: step 3"));
  EXPECT_LT(bench.rig.position, 0.005) << "never executed later";
  bench.gets(Stop{kSession, "enough"});
  bench.run_for(3.0);
  EXPECT_TRUE(bench.events_of("missed").back().starts_with("missed: steps 3 to "));
}

// It reports the step whose tick it left out before the answer to the one before it.
TEST(SitePace, NamesWhatItMissedWhileItsLoopWasLate) {
  Bench bench(ExecutionMode::kRealTime);
  bench.start();
  bench.step(0, 1e-4);
  bench.step(2, 2e-4);
  bench.run_until(bench.zero + after(0.019));
  bench.clock.advance_to(bench.zero + after(0.023));  // step 1 was due at 20 ms
  bench.run_until(bench.zero + after(0.0405));
  EXPECT_EQ(bench.answer().step, 2);
  EXPECT_TRUE(bench.noted("missed: step 1"));
  EXPECT_FALSE(bench.noted("missed: step 0"));
}

// 197 targets stand still on their way, and come in one go.
TEST(SitePace, NamesABurstOfTargetsThatComeTooLateInOneEvent) {
  Bench bench(ExecutionMode::kRealTime);
  bench.configure.watchdog = 60.0;
  bench.start();
  bench.step(0, 1e-4);
  bench.run_until(bench.zero + after(2.0055));
  for (int k = 1; k < 198; ++k) bench.step(k, 1e-4);
  bench.step(202, 1e-4);
  bench.run_until(bench.zero + after(2.0405));
  ASSERT_EQ(bench.answer().step, 202);
  EXPECT_EQ(bench.events_of("late"), (std::vector<std::string>{"late: steps 1 to 197"}));
  EXPECT_EQ(bench.events_of("overtaken"),
            (std::vector<std::string>{"overtaken: steps 198 to 201"}));
  EXPECT_EQ(bench.events_of("missed"),
            (std::vector<std::string>{"missed: steps 1 to 201"}));
}

// The site's host gives it no time for 4 s: more steps than its loop reports one by one.
TEST(SitePace, NamesEveryStepThatItMissedInALongPauseOfItsProcess) {
  Bench bench(ExecutionMode::kRealTime);
  bench.configure.watchdog = 60.0;
  bench.start();
  bench.step(0, 1e-4);
  bench.step(402, 1e-4);
  bench.run_until(bench.zero + after(0.0605));
  bench.clock.advance_to(bench.zero + after(4.021));
  bench.run_until(bench.zero + after(4.0405));
  ASSERT_EQ(bench.answer().step, 402);
  EXPECT_EQ(bench.events_of("missed"),
            (std::vector<std::string>{"missed: steps 1 to 401"}));
}

/// The steps of a stream of its record.
std::vector<std::int64_t> steps_of(const Bench& bench, std::size_t stream) {
  std::vector<std::int64_t> steps;
  for (const auto& row : bench.recorder.sinks[stream].rows) steps.push_back(row.first);
  return steps;
}

/// Five steps with targets, then none for ten steps; a hold, and a resume at this step.
void resume_after_a_pause(Bench& bench, std::int64_t next, bool readable = true) {
  bench.recorder.readable = readable;
  bench.start();
  for (int k = 0; k < 5; ++k) bench.step(k, 1e-4 * (k + 1));
  bench.run_until(bench.zero + after(0.1605));
  ASSERT_EQ(bench.node.last_step(), 14);
  bench.gets(Halt{kSession, "integrator", {}, 5, "6 responses were missed in a row"});
  bench.run_for(0.5);
  ASSERT_EQ(bench.node.state(), kHolding);
  bench.zero =
      bench.clock.now() + milliseconds(20) - after(kStep * static_cast<double>(next + 1));
  bench.gets(Resume{kSession, next, bench.zero,
                    session::contract_hash(bench.transport.last<Configured>().contract),
                    "ada@lab"});
  ASSERT_EQ(bench.node.state(), kRunning) << bench.refusal();
}

// The rig stands at its last drive and moves from there: no jump, and each step once.
TEST(SitePace, ExecutesAfterAResumeWhatWasDueWhileTheTestDidNotGoOn) {
  for (const bool real : {false, true}) {
    Bench bench(ExecutionMode::kRealTime, real);
    resume_after_a_pause(bench, 7);  // the integrator has done 5 and 6 without answers
    EXPECT_EQ(bench.node.last_step(), 6);
    EXPECT_EQ(bench.transport.last<Resumed>().last_step, 6);
    EXPECT_EQ(bench.events_of("missed"), std::vector<std::string>{"missed: steps 5 to 6"});
    EXPECT_TRUE(
        bench.noted("state: steps 7 to 14 were due while the test did not go on, "
                    "and nothing of them was executed; they are executed now"));
    const double held = bench.rig.position;
    bench.step(5, 0.04);
    EXPECT_EQ(bench.answer().step, 5);
    EXPECT_TRUE(bench.answer().missed) << "for good";
    for (int k = 7; k < 12; ++k) bench.step(k, 1e-4 * (k + 1));
    double fastest = 0.0;
    double last = held;
    for (int tick = 0; tick < 70; ++tick) {
      bench.run_until(bench.zero + after(0.08 + 0.001 * tick));
      fastest = std::max(fastest, std::abs(bench.rig.position - last));
      last = bench.rig.position;
    }
    EXPECT_GT(bench.rig.position, held);
    EXPECT_LT(fastest, 2e-4) << "no jump";
    EXPECT_EQ(steps_of(bench, 1),
              (std::vector<std::int64_t>{0, 1, 2, 3, 4, 7, 8, 9, 10, 11}))
        << "results: each step once";
    EXPECT_EQ(steps_of(bench, 2),
              (std::vector<std::int64_t>{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}))
        << "closing rows, without a gap";
    EXPECT_EQ(bench.events_of("missed").size(), 1U) << "those that were executed are not";
    EXPECT_EQ(bench.refusals(), 0);
  }
}

TEST(SitePace, ExecutesNoStepAfterALaterOneWhereverTheTestIsResumed) {
  Bench bench(ExecutionMode::kRealTime);
  resume_after_a_pause(bench, 2);
  EXPECT_EQ(bench.node.last_step(), 4) << "executed";
  bench.step(3, 0.04);
  bench.step(5, 6e-4);
  bench.run_until(bench.zero + after(0.0805));
  EXPECT_EQ(steps_of(bench, 1), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_LT(bench.rig.position, 1e-3) << "step 3 is not executed twice";
}

TEST(SitePace, CallsNoStepMissedWhileItsRecordCannotBeRead) {
  Bench bench(ExecutionMode::kRealTime);
  resume_after_a_pause(bench, 7, /*readable=*/false);  // the disk is slow
  const std::size_t said = bench.transport.responses.size();
  bench.step(3, 4e-4);  // was executed
  EXPECT_EQ(bench.transport.responses.size(), said);
  bench.recorder.readable = true;
  bench.step(3, 4e-4);
  EXPECT_EQ(bench.answer().step, 3);
  EXPECT_FALSE(bench.answer().missed);
  bench.step(5, 6e-4);
  EXPECT_EQ(bench.answer().step, 5);
  EXPECT_TRUE(bench.answer().missed);
}

// It was due again without a target: the integrator sends none before all sites continue.
TEST(SitePace, DoesNotSayThatItHasPassedAStepWhenAResumeIsSaidAgain) {
  Bench bench(ExecutionMode::kRealTime);
  resume_after_a_pause(bench, 7);
  bench.run_until(bench.zero + after(0.1005));
  ASSERT_EQ(bench.node.last_step(), 8);
  bench.gets(Resume{kSession, 7, bench.zero, {}, "ada@lab"});
  EXPECT_EQ(bench.transport.last<Resumed>().last_step, 6);
}

TEST(SitePace, NamesWhatAHeldTestMissedWhenAnotherOneTakesTheSite) {
  Bench bench(ExecutionMode::kRealTime);
  bench.start();
  bench.step(0, 1e-4);
  bench.run_until(bench.zero + after(0.0405));  // steps 1 and 2 are due, and not there
  bench.gets(Halt{kSession, "integrator", {}, 1, "2 responses were missed in a row"});
  bench.run_for(0.1);
  ASSERT_EQ(bench.node.state(), kHolding);
  EXPECT_TRUE(bench.events_of("missed").empty());
  bench.configure.session = {4, 5, 6};
  bench.gets(bench.configure);
  ASSERT_EQ(bench.recorder.opened, 2) << bench.refusal();
  EXPECT_EQ(bench.events_of("missed"), std::vector<std::string>{"missed: steps 1 to 3"});
}

TEST(SitePace, RefusesTargetsBeforeAnythingIsRecorded) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    bench.step(0, 0.055);
    EXPECT_EQ(bench.refusal(),
              "target 55 mm at floor.x is above its limit 50 mm at step 0. A resume sends "
              "the same target again, so the test cannot go on: stop it");
    bench.step(0, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(bench.refusal(),
              "the target of floor.x is not a number at step 0. A resume sends the same "
              "target again, so the test cannot go on: stop it");
    EXPECT_EQ(bench.recorder.sinks[0].pushed, 0);
    EXPECT_EQ(bench.node.state(), kRunning);
  }
}

TEST(SitePace, HoldsWhereAnotherNodeAsksForIt) {
  for (const ExecutionMode mode : kPacedModes)
    for (const bool real : {false, true}) {
      Bench bench(mode, real);
      bench.start();
      bench.step(0, 0.01);
      bench.run_until(bench.zero + after(0.0125));
      const double there = bench.rig.position;
      const int holds = bench.rig.holds;
      bench.gets(Halt{kSession, "east", {}, 0, "force"});
      EXPECT_EQ(bench.node.state(), kHolding);
      EXPECT_GE(bench.rig.holds, holds + 1) << "at once";
      for (int n = 0; n < 4; ++n) {
        bench.run_for(0.5);
        bench.gets(Heartbeat{kSession});
      }
      EXPECT_EQ(bench.rig.position, there) << name(mode);
      bench.step(1, 0.0);
      EXPECT_TRUE(bench.transport.last<Hello>().can_resume);
      bench.gets(Stop{kSession, "enough", "ada@lab"});
      bench.run_for(3.0);
      EXPECT_EQ(bench.node.state(), kConfigured);
      EXPECT_EQ(bench.rig.position, 0.0);
    }
}

TEST(SitePace, HoldsWhenTheIntegratorIsSilentAndStaysSo) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    bench.step(0, 0.01);
    const TimePoint word = bench.clock.now();
    bench.run_until(word + after(1.9999));
    EXPECT_EQ(bench.node.state(), kRunning);
    bench.run_until(word + after(2.0));
    bench.run_for(0.0);
    EXPECT_EQ(bench.node.state(), kHolding) << name(mode);
    const double there = bench.rig.position;
    bench.step(1, 0.0);
    EXPECT_TRUE(bench.transport.last<Hello>().can_resume) << name(mode);
    bench.run_for(0.3);
    EXPECT_EQ(bench.rig.position, there);
  }
}

TEST(SitePace, HoldsWhereAWordComesWithTheExpiryOfTheWatchdog) {
  // The loop has held by itself: a site that went on running would leave its integrator
  // waiting for an answer that never comes.
  for (const ExecutionMode mode : {ExecutionMode::kContinuous, ExecutionMode::kRealTime}) {
    Bench bench(mode);
    bench.start();
    bench.step(0, 0.01);
    bench.clock.advance_to(bench.clock.now() + after(2.0));
    bench.gets(Heartbeat{kSession});
    EXPECT_EQ(bench.node.state(), kHolding) << name(mode);
    bench.step(1, 0.02);
    EXPECT_TRUE(bench.transport.last<Hello>().can_resume) << name(mode);
  }
}

TEST(SitePace, LatchesAFaultOfTheLoop) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    bench.step(0, 0.01);
    bench.run_until(bench.zero + after(0.0125));
    bench.rig.status = AdapterStatus::kTripped;
    bench.run_for(0.004);
    EXPECT_EQ(bench.node.state(), kFault) << name(mode);
    EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kAdapter);
    EXPECT_EQ(bench.transport.last<Halt>().node, "west");
    EXPECT_EQ(bench.transport.sent<Halt>(0), 1);
    const double there = bench.rig.position;
    bench.rig.status = AdapterStatus::kOk;
    bench.gets(Stop{kSession, "west"});
    EXPECT_EQ(bench.transport.sent<Stopped>(0), 1);
    bench.run_for(1.0);
    EXPECT_EQ(bench.rig.position, there);
    EXPECT_EQ(bench.node.state(), kFault);
  }
}

TEST(SitePace, TripsOnTheWayHome) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    bench.step(0, 0.01);
    bench.run_until(bench.zero + after(0.1));
    bench.gets(Stop{kSession, "enough"});
    bench.run_for(0.1);
    EXPECT_EQ(bench.node.state(), kStopping);
    bench.rig.status = AdapterStatus::kTripped;
    bench.run_for(0.1);
    EXPECT_EQ(bench.node.state(), kFault) << name(mode);
    EXPECT_EQ(bench.transport.sent<Stopped>(0), 1) << "the test is over all the same";
  }
}

TEST(SitePace, StopsWhenItsRecordFails) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    bench.recorder.broken = true;
    bench.step(0, 0.01);
    bench.run_until(bench.zero + after(0.1));
    EXPECT_EQ(bench.node.state(), kFault);
    EXPECT_EQ(bench.transport.last<Halt>().fault.kind, FaultKind::kJournal);
    EXPECT_EQ(bench.rig.position, 0.0) << "no motion without its intent on record";
  }
}

TEST(SitePace, TakesFeedForwardInRealTimeOnly) {
  for (const ExecutionMode mode : kPacedModes) {
    Bench bench(mode);
    bench.start();
    StepCommand command;
    command.session = kSession;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = 0.01;
    command.feedforward_target = command.target;
    command.command_feedforward = InterfaceVector::Constant(1, 0.011);
    bench.transport.arrives(0, command);
    bench.run_until(bench.zero + after(0.0195));
    if (mode == ExecutionMode::kRealTime) {
      EXPECT_EQ(bench.rig.position, 0.011);
    } else {
      EXPECT_EQ(bench.refusal(), std::string("feed-forward came, which mode ") +
                                     name(mode) + " does not know");
    }
  }
}

TEST(SitePace, LetsTheFeedForwardRestWithATargetThatDidNotCome) {
  Bench bench(ExecutionMode::kRealTime);
  bench.start();
  const auto step = [&bench](std::int64_t k) {
    StepCommand command;
    command.session = kSession;
    command.step = k;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = 1e-4 * static_cast<double>(k);
    command.target.velocity[0] = 0.01;
    command.feedforward_target = command.target;
    command.command_feedforward = 2.0 * command.target.displacement;
    bench.transport.arrives(0, command);
  };
  for (int k = 0; k < 10; ++k) step(k);
  for (int k = 12; k < 20; ++k) step(k);
  double fastest = 0.0;
  double last = 0.0;
  for (int tick = 0; tick < 100; ++tick) {
    bench.run_until(bench.zero + after(0.002 * tick));
    EXPECT_GE(bench.rig.position, last) << "never back";
    fastest = std::max(fastest, bench.rig.position - last);
    last = bench.rig.position;
  }
  EXPECT_TRUE(bench.noted("missed: steps 10 to 11"));
  // The command, twice the part, stands for two steps; then it goes three steps' way in the
  // five ticks of one. What is left of the target is nothing.
  EXPECT_LE(fastest, 1.01 * 2.0 * 3e-4 / 5);
}

TEST(SitePace, BearsTimesThatMakeNoSense) {
  for (const ExecutionMode mode : kPacedModes)
    for (const TimePoint when : {TimePoint::min(), TimePoint::max()}) {
      Bench bench(mode);
      bench.start();
      StepCommand command;
      command.session = kSession;
      command.target = InterfaceMotion::zero(1);
      command.due = when;
      bench.transport.arrives(0, command);
      bench.run_for(0.1);
      EXPECT_EQ(bench.node.state(), kRunning);
    }
}

TEST(SitePace, BeginsAnotherTestAfterTheFirst) {
  Bench bench(ExecutionMode::kRealTime);
  bench.start();
  bench.step(0, 0.01);
  bench.run_for(0.1);
  bench.gets(Stop{kSession, "complete"});
  bench.run_for(3.0);
  const SessionId next{7};
  bench.configure.session = next;
  bench.configure.mode = name(ExecutionMode::kPseudoDynamic);
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  bench.gets(Arm{next});
  bench.gets(Start{next, bench.clock.now()});
  EXPECT_EQ(bench.node.state(), kRunning);
  EXPECT_EQ(bench.answer().step, kInitialStep);
}

}  // namespace
}  // namespace trestle::site_node::site_pace_test
