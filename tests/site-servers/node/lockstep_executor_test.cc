#include "site-servers/node/lockstep_executor.h"

#include <gtest/gtest.h>

#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::lockstep_executor_test {
namespace {

using testing::at;
using testing::CountingRig;
using Kind = LoopEvent::Kind;

/// An ideal rig of one actuator, two ticks of 5 ms a step.
struct Bench {
  explicit Bench(const ActuatorLimits& limits = {},
                 const safety::SafeAction& safe_action = {})
      : loop({.layout = {{.name = "floor.x", .displacement_limit = 0.1}},
              .time_step = 0.01,
              .ticks_per_step = 2,
              .limits = {limits},
              .ramp_duration = 0.5,
              .safe_action = safe_action},
             frame, std::make_unique<compensators::NoCompensator>(),
             std::make_unique<controllers::PassThrough>(), rig, nullptr),
        executor({.tick = 0.005}, loop, rig, clock) {}

  void execute(std::int64_t number, double target) {
    StepCommand command;
    command.step = number;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    executor.execute(command, {clock.now(), clock.now(), {}});
  }
  void order(LoopCommand::Kind kind, std::int64_t first = 0, const Fault& fault = {}) {
    LoopCommand command;
    command.kind = kind;
    command.first = first;
    command.fault = fault;
    EXPECT_TRUE(executor.order(command));
  }
  /// The oldest event, taken.
  LoopEvent event() {
    const LoopEvent* const front = executor.front_event();
    EXPECT_NE(front, nullptr);
    if (front == nullptr) return {};
    LoopEvent found = *front;
    executor.pop_event();
    return found;
  }
  std::int64_t ticks() const {
    Stopped stopped;
    executor.fill(stopped);
    return stopped.ticks;
  }

  kinematics::MatrixFrame frame = kinematics::MatrixFrame::identity(1);
  CountingRig rig;
  timing::VirtualClock clock;
  ControlLoop loop;
  LockstepExecutor executor;
};

TEST(LockstepExecutor, ExecutesAStepInOneCall) {
  Bench bench;
  EXPECT_FALSE(bench.executor.open());
  EXPECT_EQ(bench.rig.reads, 1);
  EXPECT_FALSE(bench.executor.open()) << "once";
  EXPECT_EQ(bench.rig.reads, 1);
  bench.execute(0, 0.01);
  const LoopEvent event = bench.event();
  EXPECT_EQ(event.kind, Kind::kAnswer);
  EXPECT_EQ(event.response.step, 0);
  EXPECT_EQ(event.response.measured[0], 0.01);
  EXPECT_EQ(event.response.measured_at, at(0.01));
  EXPECT_EQ(event.ticks, 2);
  EXPECT_EQ(bench.executor.front_event(), nullptr);
  std::vector<double> state;
  EXPECT_TRUE(bench.executor.take_state(event.state, state));
  EXPECT_FALSE(state.empty());
  EXPECT_EQ(bench.executor.tick(at(0.0)), TimePoint::max()) << "nothing is left to do";
}

TEST(LockstepExecutor, RefusesATargetAndMovesNothing) {
  Bench bench;
  bench.executor.open();
  bench.execute(0, 0.2);
  const LoopEvent event = bench.event();
  EXPECT_EQ(event.kind, Kind::kRefused);
  EXPECT_EQ(event.fault.kind, FaultKind::kTargetLimit);
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(LockstepExecutor, TellsAFaultAndCountsNoTickThatMetOne) {
  Bench bench({.rate = 1.0});
  bench.executor.open();
  bench.execute(0, 0.09);
  const LoopEvent event = bench.event();
  EXPECT_EQ(event.kind, Kind::kFault);
  EXPECT_EQ(event.fault.kind, FaultKind::kRateLimit);
  EXPECT_EQ(bench.ticks(), 0);
  EXPECT_TRUE(bench.executor.at_rest());
  EXPECT_EQ(bench.executor.motion(), RigMotion::kHolds);
}

TEST(LockstepExecutor, RampsHomeSomeTicksACallUntilItIsTold) {
  Bench bench;
  bench.executor.open();
  bench.execute(0, 0.05);
  bench.event();
  bench.order(LoopCommand::Kind::kRamp);
  EXPECT_EQ(bench.rig.position, 0.05) << "with the next tick";
  EXPECT_EQ(bench.executor.tick(at(1.0)), at(1.0)) << "to be called again at once";
  EXPECT_GT(bench.rig.position, 0.0);
  EXPECT_EQ(bench.executor.front_event(), nullptr);
  bench.order(LoopCommand::Kind::kHold);
  const double there = bench.rig.position;
  EXPECT_EQ(bench.executor.tick(at(1.0)), TimePoint::max());
  EXPECT_EQ(bench.rig.position, there) << "a hold stops the way home";
  bench.order(LoopCommand::Kind::kRamp);
  while (bench.executor.front_event() == nullptr)
    ASSERT_EQ(bench.executor.tick(at(1.0)), at(1.0));
  EXPECT_EQ(bench.event().kind, Kind::kRamped);
  EXPECT_EQ(bench.rig.position, 0.0);
}

TEST(LockstepExecutor, ClearsAFaultWithARead) {
  Bench bench;
  bench.executor.open();
  bench.execute(0, 0.01);
  bench.event();
  bench.order(LoopCommand::Kind::kSafe, 1, {FaultKind::kStopped, -1, 0.0, 0.0});
  bench.rig.status = AdapterStatus::kTripped;
  bench.order(LoopCommand::Kind::kClear, 1);
  EXPECT_EQ(bench.event().kind, Kind::kFault) << "its cause persists";
  bench.rig.status = AdapterStatus::kOk;
  bench.order(LoopCommand::Kind::kClear, 1);
  EXPECT_EQ(bench.event().kind, Kind::kCleared);
  bench.execute(1, 0.02);
  EXPECT_EQ(bench.event().kind, Kind::kAnswer);
}

}  // namespace
}  // namespace trestle::site_node::lockstep_executor_test
