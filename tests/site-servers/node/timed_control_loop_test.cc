#include "site-servers/node/timed_control_loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::timed_control_loop_test {
namespace {

using testing::after;
using testing::at;
using testing::TimedBench;
using testing::TimedBenchSettings;
using Order = LoopCommand::Kind;
using News = LoopEvent::Kind;
using Steps = std::vector<std::int64_t>;

// --- pseudo-dynamic ---

TimedBenchSettings pseudo_dynamic(bool real = false) {
  TimedBenchSettings settings = TimedBench::settings(ExecutionMode::kPseudoDynamic);
  settings.idle_ticks = real;
  return settings;
}

TEST(TimedControlLoop, RampsSettlesMeasuresAndAnswers) {
  TimedBench bench(pseudo_dynamic());
  bench.start();
  bench.run_until(at(0.1));
  bench.step(0, 0.01);
  bench.run_until(at(1.0));
  const auto answers = bench.all(News::kAnswer);
  ASSERT_EQ(answers.size(), 1U);
  const StepResponse& answer = answers[0].response;
  EXPECT_EQ(answer.step, 0);
  EXPECT_NEAR(answer.measured[0], 0.01, 1e-17);  // a mean of five
  EXPECT_NEAR(answer.force[0], 1e4, 1e-11);
  EXPECT_FALSE(answer.missed);
  // 1.5 · 10 mm / 0.1 m/s and 10 + 5 ms, from when it came.
  EXPECT_EQ(answer.stamps.received, at(0.1));
  EXPECT_EQ(answer.stamps.started, at(0.1));
  EXPECT_EQ(answer.stamps.driven, at(0.1));
  EXPECT_EQ(answer.stamps.closed, at(0.265));
  EXPECT_EQ(answer.measured_at, at(0.165)) << "of the run's own ticks";
}

TEST(TimedControlLoop, AveragesWhatItMeasures) {
  TimedBench bench(pseudo_dynamic());
  bench.rig.drift = 1e-6;
  bench.start();
  bench.step(0, 0.01);
  bench.run_until(at(1.0));
  const int last = bench.rig.reads;
  // The mean of the last five reads.
  EXPECT_NEAR(bench.all(News::kAnswer).at(0).response.measured[0], 0.01 + 1e-6 * (last - 2),
              1e-15);
}

TEST(TimedControlLoop, LeavesAnIdleSimulatedRigAlone) {
  TimedBench bench(pseudo_dynamic());
  bench.start();
  bench.run_until(at(2.0));
  EXPECT_EQ(bench.rig.reads, 1) << "the opening one";
  bench.step(0, 0.01);
  bench.run_until(at(3.0));
  const int reads = bench.rig.reads;
  EXPECT_EQ(bench.rig.writes, 165);
  EXPECT_EQ(reads, 1 + 165);
  bench.run_until(at(4.0));
  EXPECT_EQ(bench.rig.reads, reads);
  EXPECT_EQ(bench.rig.writes, 165);
  // And is a function of its steps, whenever they come.
  TimedBench other(pseudo_dynamic());
  other.start();
  other.step(0, 0.01);
  other.run_until(at(0.2), after(1e-4));
  EXPECT_EQ(other.rig.reads, reads);
  EXPECT_EQ(other.rig.read_at, bench.rig.read_at);
}

TEST(TimedControlLoop, ReadsRealEquipmentOn) {
  TimedBench bench(pseudo_dynamic(true));
  bench.start();
  bench.run_until(at(0.1));
  EXPECT_NEAR(bench.rig.reads, 101, 2);
  EXPECT_EQ(bench.rig.position, 0.0);
  bench.rig.status = AdapterStatus::kTripped;
  bench.run_until(at(0.2));
  EXPECT_EQ(bench.fault().kind, FaultKind::kAdapter)
      << "seen while nothing was asked of it";
}

TEST(TimedControlLoop, DoesNotCountTheTimeBetweenStepsAsLate) {
  TimedBench bench(pseudo_dynamic());
  bench.start();
  for (int k = 0; k < 3; ++k) {
    bench.stall(bench.clock.now() + after(0.7));
    bench.step(k, 0.001 * k);
    bench.run_until(bench.clock.now() + after(0.3));
  }
  EXPECT_EQ(bench.all(News::kAnswer).size(), 3U);
  EXPECT_EQ(bench.timed.account().overruns, 0);
  EXPECT_LE(bench.timed.account().wakeup_latency_max, after(1e-9));
}

// --- continuous ---

TEST(TimedControlLoop, FollowsTargetsThatComeLateWithoutAJump) {
  TimedBench bench(TimedBench::settings(ExecutionMode::kContinuous));
  bench.start();
  double now = 0.0;
  for (int k = 0; k < 40; ++k) {
    bench.step(k, 0.01 * std::sin(0.02 * k), 0.05 * std::cos(0.02 * k), at(now + 0.002));
    now += k == 20 ? 0.1 : k % 5 == 0 ? 0.007 : 0.004;  // one outage
    bench.run_until(at(now));
  }
  const auto answers = bench.all(News::kAnswer);
  ASSERT_EQ(answers.size(), 40U);
  for (int k = 0; k < 40; ++k) {
    EXPECT_EQ(answers[static_cast<std::size_t>(k)].step, k);
    EXPECT_EQ(answers[static_cast<std::size_t>(k)].response.measured[0],
              0.01 * std::sin(0.02 * k))
        << "to the bit";
  }
  EXPECT_GT(bench.timed.account().slowed, 0);
  EXPECT_GT(bench.timed.account().held, 50) << "100 ms without a target";
  EXPECT_EQ(bench.timed.account().missed, 0);
  EXPECT_EQ(bench.rig.reads, bench.rig.writes)
      << "read and write alternate; the opening read is that of the first tick";
}

TEST(TimedControlLoop, ReachesATargetWhenItIsDue) {
  TimedBench bench(TimedBench::settings(ExecutionMode::kContinuous));
  bench.start();
  bench.step(0, 0.001, 0.0, at(0.010));
  bench.run_until(at(0.1));
  const StepResponse answer = bench.all(News::kAnswer).at(0).response;
  EXPECT_EQ(answer.stamps.closed, at(0.010));
  EXPECT_EQ(answer.measured_at, at(0.010));
}

TEST(TimedControlLoop, KeepsItsRateWhenEveryTickWakesABitLate) {
  TimedBench bench(TimedBench::settings(ExecutionMode::kContinuous));
  bench.start();
  bench.run_until(at(1.0), after(80e-6));
  EXPECT_NEAR(bench.rig.writes, 1000, 1);
  EXPECT_EQ(bench.timed.account().overruns, 0);
  EXPECT_EQ(bench.timed.account().wakeup_latency_max, after(80e-6));
  // Where it was away for long it does not run after the time that is gone.
  bench.stall(at(1.5));
  bench.run_until(at(2.0));
  EXPECT_NEAR(bench.rig.writes, 1500, 2);
  EXPECT_EQ(bench.timed.account().overruns, 1);
}

// --- real time ---

TimedBenchSettings real_time() {
  return TimedBench::settings(ExecutionMode::kRealTime);
}

TEST(TimedControlLoop, ExecutesStepsWhenTheyAreDue) {
  TimedBench bench(real_time());
  bench.start(at(0.1));
  for (int k = 0; k < 5; ++k) bench.step(k, 0.001 * (k + 1));
  bench.run_until(at(0.2));
  const auto answers = bench.all(News::kAnswer);
  ASSERT_GE(answers.size(), 5U);
  for (int k = 0; k < 5; ++k) {
    const StepResponse& answer = answers[static_cast<std::size_t>(k)].response;
    EXPECT_EQ(answer.step, k);
    EXPECT_FALSE(answer.missed);
    EXPECT_EQ(answer.measured[0], 0.001 * (k + 1));
    EXPECT_EQ(answer.measured_at, at(0.004 * (k + 2))) << "(k + L + 1)·T";
    EXPECT_EQ(answer.stamps.started, at(0.1 + 0.004 * (k + 1))) << "(k + L)·T";
    EXPECT_EQ(answer.stamps.closed, at(0.1 + 0.004 * (k + 2)));
  }
  EXPECT_EQ(bench.rig.reads, bench.rig.writes);
}

TEST(TimedControlLoop, SaysWhenTheNextAnswerIsExpected) {
  TimedBench bench(real_time());
  bench.start(at(0.1));
  EXPECT_EQ(bench.timed.mailbox().response_expected_at(), TimePoint::max());
  bench.run_until(at(0.1));
  EXPECT_EQ(bench.timed.mailbox().response_expected_at(), at(0.104));
  bench.run_until(at(0.1055));
  EXPECT_EQ(bench.timed.mailbox().response_expected_at(), at(0.108));
  bench.rig.status = AdapterStatus::kTripped;
  bench.run_until(at(0.107));
  EXPECT_EQ(bench.timed.mailbox().response_expected_at(), TimePoint::max())
      << "nothing comes any more";
}

TEST(TimedControlLoop, MissesWhatHasNotComeAndNeverExecutesItLater) {
  TimedBench bench(real_time());
  bench.start();
  bench.step(0, 0.001);
  bench.run_until(at(0.009));  // step 1 was due at 8 ms
  EXPECT_EQ(bench.steps_of(News::kMissed), (Steps{1}));
  bench.step(1, 0.05);
  bench.step(2, 0.002);
  bench.run_until(at(0.018));
  EXPECT_EQ(bench.steps_of(News::kLate), (Steps{1}));
  EXPECT_LT(bench.rig.position, 0.003);
  const auto answers = bench.all(News::kAnswer);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_FALSE(answers[0].response.missed);
  EXPECT_TRUE(answers[1].response.missed);
  EXPECT_EQ(answers[1].step, 1);
  EXPECT_FALSE(answers[2].response.missed);
  EXPECT_EQ(answers[2].response.measured[0], 0.002);
  EXPECT_EQ(answers[2].response.measured_at, at(0.016));
  EXPECT_GE(bench.timed.account().missed, 1);
}

TEST(TimedControlLoop, ExecutesWhatComesInTheVeryTickInWhichItIsDue) {
  // Over a link without delay the target of a step is the answer's consequence.
  TimedBenchSettings settings = real_time();
  settings.latency_steps = 0;
  TimedBench bench(settings);
  bench.start();
  for (int k = 0; k < 10; ++k) {
    bench.step(k, 0.001 * k);
    bench.run_until(at(0.004 * (k + 1) - 0.0005));
    EXPECT_EQ(bench.timed.tick(at(0.004 * (k + 1))), at(0.004 * (k + 1))) << "it pauses";
    bench.clock.advance_to(at(0.004 * (k + 1)));
    bench.listen();
    EXPECT_EQ(bench.steps_of(News::kAnswer).back(), k);
  }
  EXPECT_EQ(bench.all(News::kMissed).size(), 0U);
}

TEST(TimedControlLoop, MissesExactlyWhatWasDueDuringAStall) {
  TimedBench bench(real_time());
  bench.start();
  for (int k = 0; k < 40; ++k) bench.step(k, 1e-4 * k, 0.025);
  bench.run_until(at(0.0505));  // tick 50 is done: the third of step 11
  bench.stall(at(0.0555));      // ticks 51 ... 54 never come; step 12 was due at 52
  bench.run_until(at(0.120));
  EXPECT_EQ(bench.steps_of(News::kMissed), (Steps{12}));
  EXPECT_EQ(bench.steps_of(News::kLate), (Steps{12})) << "it had come, and is not executed";
  Steps expected;
  for (int k = 0; k < 28; ++k) expected.push_back(k);
  const Steps answered = bench.steps_of(News::kAnswer);
  ASSERT_GE(answered.size(), 28U);
  EXPECT_EQ(Steps(answered.begin(), answered.begin() + 28), expected);
  for (const LoopEvent& news : bench.all(News::kAnswer)) {
    EXPECT_EQ(news.response.missed, news.step == 12) << news.step;
    if (news.step == 11) {
      EXPECT_EQ(news.response.measured_at, at(0.055)) << "by the first read there is";
    } else {
      EXPECT_EQ(news.response.measured_at,
                at(0.004 * (static_cast<double>(news.step) + 2)));
    }
    if (news.step > 13 && news.step < 28) {
      EXPECT_EQ(news.response.measured[0], 1e-4 * static_cast<double>(news.step));
    }
  }
  EXPECT_EQ(bench.timed.account().missed, 1);
  EXPECT_EQ(bench.timed.account().overruns, 1);
}

TEST(TimedControlLoop, MissesWhatWasDueIn5msOf1024StepsASecond) {
  TimedBenchSettings settings = real_time();
  settings.tick = 1.0 / 1024.0;
  settings.ticks_per_step = 1;
  settings.overrun = after(settings.tick);
  TimedBench bench(settings);
  bench.start();
  for (int k = 0; k < 100; ++k) bench.step(k, 1e-5 * k, 0.01);
  bench.run_until(at(20.5 / 1024.0));  // tick 20 is done: step 19
  bench.stall(at(20.5 / 1024.0 + 0.005));
  bench.run_until(at(60.0 / 1024.0));
  // The next tick is 25: those of 21 ... 24 never came.
  EXPECT_EQ(bench.steps_of(News::kMissed), (Steps{20, 21, 22, 23}));
  EXPECT_EQ(bench.timed.account().missed, 4);
  EXPECT_EQ(bench.rig.position, 1e-5 * 59) << "and is on time again";
}

TEST(TimedControlLoop, CatchesUpAfterAStallWithinTheLimitOfRate) {
  // 25 mm/s is asked for, 40 allowed by the motion, 50 by the gate.
  TimedBench bench(real_time(), {.rate = 0.05}, 0.04);
  bench.start();
  for (int k = 0; k < 60; ++k) bench.step(k, 1e-4 * k, 0.025);
  bench.run_until(at(0.0505));
  bench.stall(at(0.0605));
  bench.run_until(at(0.1995));
  EXPECT_FALSE(bench.fault()) << "no limit was passed";
  EXPECT_LE(bench.rig.fastest, 0.04 * 1e-3 * (1.0 + 1e-9));
  EXPECT_EQ(bench.rig.position, 1e-4 * 48) << "it has caught up";
}

TEST(TimedControlLoop, OutlivesAnyStallAndStillTellsItsFaults) {
  TimedBenchSettings settings = real_time();
  settings.steps = 100'000'000;
  settings.watchdog = std::chrono::hours(2);
  TimedBench bench(settings);
  bench.start();
  bench.run_until(at(0.1));
  const std::size_t named = bench.steps_of(News::kMissed).size();
  bench.stall(at(3600.0));
  bench.rig.status = AdapterStatus::kTripped;
  bench.timed.tick(bench.clock.now());  // no message was read meanwhile
  bench.listen();
  EXPECT_EQ(bench.fault().kind, FaultKind::kAdapter);
  EXPECT_EQ(bench.timed.account().missed, 3600 * 250 - 1) << "all counted";
  EXPECT_LE(bench.steps_of(News::kMissed).size(), named + 256U) << "not all named";
}

TEST(TimedControlLoop, BearsATimeOfStartThatMakesNoSense) {
  for (const TimePoint zero : {TimePoint::min(), TimePoint::max(), TimePoint{}}) {
    TimedBench bench(real_time());
    bench.clock.advance_to(at(7200.0));
    bench.start(zero);
    bench.order(Order::kClock, TimePoint::max());
    bench.order(Order::kClock, TimePoint::min());
    bench.step(0, 0.001, 0.0, TimePoint::max());
    bench.timed.tick(bench.clock.now());
    EXPECT_LE(bench.rig.writes, 1);
  }
  TimedBench bench(TimedBench::settings(ExecutionMode::kContinuous));
  bench.start();
  bench.step(0, 0.001, 0.0, TimePoint::min());
  bench.run_until(at(0.1));
  EXPECT_EQ(bench.all(News::kAnswer).size(), 1U);
  bench.step(1, 0.002, 0.0, TimePoint::max());
  bench.run_until(at(0.2));
  EXPECT_EQ(bench.all(News::kAnswer).size(), 1U) << "it takes its hour";
}

TEST(TimedControlLoop, ExecutesNothingBehindTheLastStep) {
  TimedBenchSettings settings = real_time();
  settings.steps = 3;
  TimedBench bench(settings);
  bench.start();
  for (int k = 0; k < 6; ++k) bench.step(k, 0.001 * (k + 1));
  bench.run_until(at(0.1));
  EXPECT_EQ(bench.steps_of(News::kAnswer), (Steps{0, 1, 2}));
  EXPECT_EQ(bench.all(News::kMissed).size(), 0U);
  EXPECT_EQ(bench.rig.position, 0.003);
}

TEST(TimedControlLoop, FollowsTheClockByAHundredthOfATickPerTick) {
  for (const double shift : {0.3e-3, -0.3e-3}) {
    TimedBench bench(real_time());
    bench.start();
    bench.run_until(at(0.1005));
    bench.order(Order::kClock, at(shift));
    TimePoint last = bench.timed.tick(bench.clock.now());
    for (int n = 0; n < 100; ++n) {
      bench.clock.advance_to(last);
      TimePoint next = bench.timed.tick(last);
      if (next == last) next = bench.timed.tick(last);  // it paused
      const double between = seconds(next - last);
      EXPECT_LE(std::abs(between - 1e-3), 1.0e-5 + 1e-9) << n;
      last = next;
    }
    bench.run_until(at(0.3005));
    const TimePoint due = bench.timed.tick(bench.clock.now());
    EXPECT_NEAR(seconds(due - at(0.301)), shift, 2e-9) << "whole nanoseconds";
    EXPECT_EQ(bench.timed.account().overruns, 0);
  }
}

// --- orders, silence, faults: in every mode ---

constexpr ExecutionMode kTimedModes[] = {
    ExecutionMode::kPseudoDynamic, ExecutionMode::kContinuous, ExecutionMode::kRealTime};

/// In the middle of its second step.
void bring_into_motion(TimedBench& bench) {
  bench.start();
  for (int k = 0; k < 2; ++k) bench.step(k, 0.01 * (k + 1), 0.0, at(0.004 * (k + 1)));
  bench.run_until(at(0.0105));
}

TEST(TimedControlLoop, HoldsInTheTickInWhichItIsToldSo) {
  for (const ExecutionMode mode : kTimedModes)
    for (const bool real : {false, true}) {
      TimedBenchSettings settings = TimedBench::settings(mode);
      settings.idle_ticks = real;
      TimedBench bench(settings);
      bring_into_motion(bench);
      const double there = bench.rig.position;
      const int reads = bench.rig.reads;
      bench.order(Order::kHold);
      bench.run_until(at(0.5));
      EXPECT_EQ(bench.rig.position, there) << name(mode);
      EXPECT_GE(bench.rig.holds, 1);
      EXPECT_EQ(bench.rig.reads > reads + 400, real) << "read on where it is real";
      bench.step(2, 0.05);
      bench.run_until(at(0.6));
      EXPECT_EQ(bench.rig.position, there) << "a late step moves nothing";
      bench.order(Order::kRamp);
      bench.run_until(at(1.0));
      EXPECT_EQ(bench.rig.position, 0.0);
      EXPECT_EQ(bench.all(News::kRamped).size(), 1U);
      EXPECT_EQ(bench.all(News::kFault).size(), 0U);
    }
}

TEST(TimedControlLoop, RampsHomeInItsOwnTimeAfterALongHold) {
  TimedBench bench(real_time());
  bring_into_motion(bench);
  bench.order(Order::kHold);
  bench.run_until(at(10.0));
  bench.order(Order::kRamp);
  bench.run_until(at(10.0105));
  EXPECT_GT(bench.rig.position, 0.0) << "half of its 20 ms: no rush";
  bench.order(Order::kHold);
  bench.run_until(at(11.0));
  EXPECT_GT(bench.rig.position, 0.0) << "a halt stops the way home, too";
  EXPECT_EQ(bench.all(News::kRamped).size(), 0U);
  bench.order(Order::kRamp);
  bench.run_until(at(12.0));
  EXPECT_EQ(bench.rig.position, 0.0);
}

TEST(TimedControlLoop, HoldsByItselfWhenTheIntegratorIsSilent) {
  for (const ExecutionMode mode : kTimedModes) {
    TimedBench bench(TimedBench::settings(mode));
    bring_into_motion(bench);
    bench.step(2, 0.05, 0.0, at(6.0));  // continuous: on its way when silence falls
    bench.run_until(at(4.9995));
    EXPECT_FALSE(bench.timed.mailbox().watchdog_expired()) << name(mode);
    const int holds = bench.rig.holds;
    bench.stall(at(5.0));
    bench.timed.tick(bench.clock.now());
    EXPECT_TRUE(bench.timed.mailbox().watchdog_expired());
    EXPECT_EQ(bench.rig.holds, holds + 1);
    const double there = bench.rig.position;
    bench.timed.mailbox().message_received(bench.clock.now());
    bench.step(3, 0.0);
    bench.run_until(at(5.5));
    EXPECT_EQ(bench.rig.position, there) << "a word that comes later sets nothing going";
  }
}

TEST(TimedControlLoop, IsKeptAliveByWhatItHears) {
  TimedBench bench(real_time());
  bench.start();
  for (int n = 1; n < 5; ++n) {
    bench.run_until(at(4.0 * n));
    bench.timed.mailbox().message_received(bench.clock.now());
  }
  EXPECT_FALSE(bench.timed.mailbox().watchdog_expired());
}

TEST(TimedControlLoop, StandsStillAtAFaultAndTellsItOnce) {
  for (const ExecutionMode mode : kTimedModes)
    for (const bool by_gate : {false, true}) {
      TimedBench bench(TimedBench::settings(mode),
                       {.displacement = 0.1, .rate = by_gate ? 1e-3 : 100.0});
      bring_into_motion(bench);
      bench.run_until(at(0.011));
      if (!by_gate) bench.rig.status = AdapterStatus::kTripped;
      bench.run_until(at(0.5));
      EXPECT_EQ(bench.fault().kind, by_gate ? FaultKind::kRateLimit : FaultKind::kAdapter)
          << name(mode);
      EXPECT_EQ(bench.all(News::kFault).size(), 1U);
      const int reads = bench.rig.reads;
      const double there = bench.rig.position;
      if (by_gate) {
        EXPECT_LE(there, 0.015);
      }
      bench.step(2, 0.0);
      bench.run_until(at(0.7));
      EXPECT_EQ(bench.rig.reads, reads) << "nothing goes on";
      bench.order(Order::kRamp);
      bench.run_until(at(1.0));
      EXPECT_EQ(bench.rig.position, there) << "only a person may move it";
      EXPECT_EQ(bench.all(News::kRamped).size(), 0U);
      EXPECT_EQ(bench.all(News::kFault).size(), 2U) << "whoever asks is told";
    }
}

/// Another site's fault, or a person's hold: the node does not know of the fault yet.
TEST(TimedControlLoop, FinishesItsSafeActionAlthoughAHoldCrossesIt) {
  const ActuatorVector one = ActuatorVector::Ones(1);
  TimedBenchSettings settings = TimedBench::settings(ExecutionMode::kPseudoDynamic);
  settings.action = {safety::SafeAction::Kind::kRampHome, 0.01 * one, 0.1 * one, one, one};
  TimedBench bench(settings, {.rate = 0.1});
  bench.start();
  bench.step(0, 2e-3);
  bench.run_until(at(0.2));
  ASSERT_NEAR(bench.rig.position, 2e-3, 1e-9);
  LoopCommand trips;
  trips.kind = Order::kSafe;
  trips.fault = {FaultKind::kForceLimit, 0, 2e3, 1e3};
  bench.timed.mailbox().push_command(trips);
  bench.run_until(at(0.21));
  ASSERT_GT(bench.rig.position, 1e-3);
  bench.order(Order::kHold);
  bench.run_until(at(1.0));
  EXPECT_NEAR(bench.rig.position, 0.0, 1e-9);
  EXPECT_TRUE(bench.timed.mailbox().at_rest());
  EXPECT_EQ(bench.all(News::kFault).size(), 1U);
}

TEST(TimedControlLoop, TripsWhenTicksComeTooLateOneAfterTheOther) {
  for (const ExecutionMode mode : kTimedModes) {
    TimedBenchSettings settings = TimedBench::settings(mode);
    settings.most_overruns = 3;
    settings.overrun = after(0.5e-3);
    settings.idle_ticks = true;
    TimedBench bench(settings);
    bench.start();
    bench.run_until(at(0.0205));
    for (int n = 0; n < 2; ++n) {  // three in a row are allowed
      bench.run_until(bench.clock.now() + after(0.003), after(0.6e-3));
      bench.run_until(bench.clock.now() + after(0.010));
    }
    EXPECT_FALSE(bench.fault()) << name(mode);
    EXPECT_GE(bench.timed.account().overruns, 4);
    bench.run_until(bench.clock.now() + after(0.010), after(0.6e-3));
    EXPECT_EQ(bench.fault().kind, FaultKind::kOverrun) << name(mode);
    EXPECT_NEAR(bench.fault().value, 0.6e-3, 1e-4);
    EXPECT_EQ(bench.fault().limit, 0.5e-3);
    EXPECT_GE(bench.rig.holds, 1);
    const int writes = bench.rig.writes;
    bench.order(Order::kRamp);
    bench.run_until(bench.clock.now() + after(0.1));
    EXPECT_EQ(bench.rig.writes, writes) << "latched as any other";
  }
}

TEST(TimedControlLoop, RefusesATargetThatTheLoopDoesNotTake) {
  for (const ExecutionMode mode : kTimedModes) {
    TimedBench bench(TimedBench::settings(mode));
    bench.start();
    bench.step(0, 0.2);
    bench.step(1, std::numeric_limits<double>::quiet_NaN());
    bench.run_until(at(0.05));
    const auto refused = bench.all(News::kRefused);
    ASSERT_EQ(refused.size(), 2U) << name(mode);
    EXPECT_EQ(refused[0].fault.kind, FaultKind::kTargetLimit);
    EXPECT_EQ(refused[1].fault.kind, FaultKind::kNotFinite);
    EXPECT_EQ(bench.rig.position, 0.0);
  }
}

TEST(TimedControlLoop, TakesNothingWhereThereIsNoRoom) {
  TimedBench bench(real_time());
  LoopMailbox& mailbox = bench.timed.mailbox();
  int taken = 0;
  while (mailbox.push_command({})) ++taken;
  EXPECT_EQ(taken, 256);
  while (mailbox.push_step({}, {})) ++taken;
  EXPECT_EQ(taken, 512) << "commands leave steps their room";
}

}  // namespace
}  // namespace trestle::site_node::timed_control_loop_test
