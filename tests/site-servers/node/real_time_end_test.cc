#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/site-servers/node/timed_bench.h"

// A real-time test whose last step ends in motion: 100 mm/s, 10 mm from where it began.
namespace trestle::site_node::real_time_end_test {
namespace {

using testing::after;
using testing::at;
using testing::TimedBench;
using testing::TimedBenchSettings;
using Order = LoopCommand::Kind;
using News = LoopEvent::Kind;

constexpr std::int64_t kSteps = 50;
constexpr double kEnd = TimedBench::kStep * (kSteps + 1);  // with a latency of one step
constexpr double kLead = 0.03;
constexpr double kRate = 0.15;

TimedBenchSettings ends_after(std::int64_t steps, double lead,
                              ExecutionMode mode = ExecutionMode::kRealTime) {
  TimedBenchSettings settings = TimedBench::settings(mode);
  settings.steps = steps;
  settings.lead = lead;
  return settings;
}

/// Targets of a constant acceleration of 0.5 m/s² from rest.
void send_steps(TimedBench& bench, std::int64_t steps) {
  for (std::int64_t k = 0; k < steps; ++k) {
    const double t = TimedBench::kStep * static_cast<double>(k + 1);
    bench.step(k, 0.25 * t * t, 0.5 * t, at(t));
  }
}

TEST(RealTimeEnd, ComesToRestWithinTheLimitsOfTheRig) {
  // The command leads by 3 mm. To drop that in one tick would take 3 m/s; to stop in one,
  // 100 m/s².
  for (const double lead : {0.0, kLead}) {
    TimedBench bench(ends_after(kSteps, lead), {.rate = kRate, .acceleration = 80.0});
    bench.start();
    send_steps(bench, kSteps);
    bench.run_until(at(kEnd - 0.0005));
    EXPECT_NEAR(bench.rig.position, 0.01 + lead * 0.1, 1e-9);
    const double last_driven = bench.rig.position;
    bench.rig.fastest = 0.0;
    double before = last_driven;
    for (int n = 0; n < 400; ++n) {
      bench.run_until(at(kEnd + 0.0005 + n * TimedBench::kTick));
      EXPECT_GE(bench.rig.position, before) << "it never moves back";
      before = bench.rig.position;
    }
    EXPECT_FALSE(bench.fault()) << bench.fault().value;
    EXPECT_LE(bench.rig.fastest, 1.16e-4) << "no faster than the last step";
    EXPECT_LE(bench.rig.position, last_driven + 0.0025) << "it coasts for 20 ms";
    EXPECT_GT(bench.rig.position, last_driven + 0.001);
    bench.run_until(at(3.0));
    const double rest = bench.rig.position;
    EXPECT_NEAR(rest, before, 1e-9);
    bench.run_until(at(4.0));
    EXPECT_EQ(bench.rig.position, rest);
    EXPECT_EQ(bench.steps_of(News::kAnswer).size(), static_cast<std::size_t>(kSteps));
    EXPECT_EQ(bench.steps_of(News::kAnswer).back(), kSteps - 1);
    EXPECT_TRUE(bench.steps_of(News::kMissed).empty());
    EXPECT_EQ(bench.timed.account().missed, 0);
  }
}

TEST(RealTimeEnd, AnswersTheLastStepAsIfOthersFollowed) {
  TimedBench one(ends_after(kSteps, kLead));
  TimedBench longer(ends_after(1000, kLead));
  for (TimedBench* bench : {&one, &longer}) {
    bench->start();
    send_steps(*bench, 2 * kSteps);
    bench->run_until(at(kEnd + 0.0505));
  }
  const auto answers = one.all(News::kAnswer);
  const auto expected = longer.all(News::kAnswer);
  ASSERT_EQ(answers.size(), static_cast<std::size_t>(kSteps));
  for (std::size_t k = 0; k < answers.size(); ++k) {
    EXPECT_EQ(answers[k].response.measured[0], expected[k].response.measured[0]) << k;
    EXPECT_EQ(answers[k].response.actuators.command[0],
              expected[k].response.actuators.command[0]);
    EXPECT_EQ(answers[k].response.measured_at, expected[k].response.measured_at);
    EXPECT_EQ(answers[k].ticks, expected[k].ticks);
  }
}

TEST(RealTimeEnd, ComesToRestIfNoTickCameWhenTheTestEnded) {
  // Neither the tick that closes the last step nor the rest of the step's time behind it.
  for (const double until : {kEnd + 0.0015, kEnd + 0.0055}) {
    TimedBench bench(ends_after(kSteps, kLead), {.rate = kRate});
    bench.start();
    send_steps(bench, kSteps);
    bench.run_until(at(kEnd - 0.0005));
    bench.stall(at(until));
    bench.run_until(at(until + 0.0001));
    EXPECT_EQ(bench.steps_of(News::kAnswer).back(), kSteps - 1)
        << "by the first read there is";
    EXPECT_FALSE(bench.all(News::kAnswer).back().response.missed);
    bench.run_until(at(1.0));
    EXPECT_FALSE(bench.fault());
    EXPECT_EQ(bench.steps_of(News::kAnswer).size(), static_cast<std::size_t>(kSteps));
    EXPECT_TRUE(bench.steps_of(News::kMissed).empty());
  }
}

/// The rig has stood while no tick came: a start from there within one tick would take 100
/// m/s2.
TEST(RealTimeEnd, StaysWhereTicksAreLostWhileItComesToRest) {
  TimedBench bench(ends_after(kSteps, kLead), {.rate = kRate, .acceleration = 80.0});
  bench.start();
  send_steps(bench, kSteps);
  bench.run_until(at(kEnd + 0.0025));
  bench.stall(at(kEnd + 0.0125));
  const double rest = bench.rig.position;
  bench.run_until(at(1.0));
  EXPECT_FALSE(bench.fault()) << bench.fault().value;
  EXPECT_EQ(bench.rig.position, rest);
}

TEST(RealTimeEnd, HoldsIfNoStopComes) {
  TimedBench bench(ends_after(kSteps, kLead), {.rate = kRate});
  bench.start();
  send_steps(bench, kSteps);
  bench.run_until(at(4.9995));
  const int holds = bench.rig.holds;
  const double rest = bench.rig.position;
  bench.stall(at(5.0));
  bench.timed.tick(bench.clock.now());
  EXPECT_TRUE(bench.timed.mailbox().watchdog_expired());
  EXPECT_EQ(bench.rig.holds, holds + 1);
  EXPECT_EQ(bench.rig.position, rest);
}

TEST(RealTimeEnd, StopsAndGoesHomeWhileItComesToRest) {
  TimedBench bench(ends_after(kSteps, kLead), {.rate = 1.0});
  bench.start();
  send_steps(bench, kSteps);
  bench.run_until(at(kEnd + 0.0045));
  const double there = bench.rig.position;
  bench.order(Order::kRamp);
  bench.run_until(at(kEnd + 0.0055));
  EXPECT_EQ(bench.rig.position, there);
  bench.run_until(at(1.0));
  EXPECT_EQ(bench.rig.position, 0.0);
  EXPECT_EQ(bench.all(News::kRamped).size(), 1U);
  EXPECT_FALSE(bench.fault());
}

TEST(RealTimeEnd, ResumesAnEarlierStepFromWhereItCameToRest) {
  // The integrator died before the last answers reached it.
  TimedBench bench(ends_after(kSteps, kLead), {.rate = kRate});
  bench.start();
  send_steps(bench, kSteps);
  bench.run_until(at(kEnd + 0.0105));
  bench.order(Order::kHold);
  bench.run_until(at(1.0));
  const double rest = bench.rig.position;
  LoopCommand resume;
  resume.kind = Order::kResume;
  resume.first = kSteps - 5;
  resume.at = at(1.1 - TimedBench::kStep * (kSteps - 4));
  bench.timed.mailbox().push_command(resume);
  bench.run_until(at(1.05));
  send_steps(bench, kSteps);
  bench.rig.fastest = 0.0;
  bench.run_until(at(1.1005));
  EXPECT_EQ(bench.rig.position, rest) << "the first drive is the one in force";
  bench.run_until(at(2.0));
  EXPECT_FALSE(bench.fault());
  EXPECT_LE(bench.rig.fastest, kRate * TimedBench::kTick);
  EXPECT_EQ(bench.steps_of(News::kAnswer).size(), static_cast<std::size_t>(kSteps + 5));
}

TEST(RealTimeEnd, ContinuousStepsEndWithinTheLimitsToo) {
  // There the motion goes on and slows down, as for a target that is late.
  TimedBenchSettings settings = ends_after(10, kLead, ExecutionMode::kContinuous);
  settings.ticks_per_step = 64;
  const double step = settings.ticks_per_step * settings.tick;
  TimedBench bench(settings, {.rate = kRate}, 0.12);
  bench.start();
  for (int k = 0; k < 10; ++k) {
    const double t = step * (k + 1);
    bench.step(k, 0.08 * t * t * t, 0.24 * t * t, at(t));
    bench.run_until(at(t));
  }
  bench.run_until(at(2.0));
  EXPECT_EQ(bench.all(News::kAnswer).size(), 10U);
  EXPECT_FALSE(bench.fault()) << bench.fault().value << " " << bench.fault().limit;
}

}  // namespace
}  // namespace trestle::site_node::real_time_end_test
