#include "site-servers/node/control_thread.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::control_thread_test {
namespace {

using testing::after;
using testing::TimedBench;
using testing::TimedBenchSettings;
using Order = LoopCommand::Kind;
using News = LoopEvent::Kind;

TimedBenchSettings settings() {
  TimedBenchSettings settings = TimedBench::settings(ExecutionMode::kRealTime);
  settings.overrun = std::chrono::hours(1);  // of time nothing is asked here
  settings.watchdog = std::chrono::hours(1);
  return settings;
}

/// Plays the bus thread until it has received `count` events of a kind.
void listen(TimedBench& bench, News kind, std::size_t count) {
  // A loop without events must not block the test.
  for (int n = 0; n < 100'000'000 && bench.all(kind).size() < count; ++n) {
    bench.listen();
    std::this_thread::yield();
  }
  ASSERT_GE(bench.all(kind).size(), count);
}

TEST(ControlThread, TicksATimedLoopThatMeetsTheNodeInItsMailbox) {
  for (const Duration spin : {Duration::zero(), after(2e-4)}) {
    TimedBench bench(settings());
    const timing::MonotonicClock clock;
    ControlThread thread({.priority = 0, .spin = spin}, clock);
    thread.begin(bench.timed);
    EXPECT_EQ(thread.tick(TimePoint{}), TimePoint::max())
        << "the node's own thread is free";
    bench.start(clock.now());
    // As long as it takes: which ones are missed is this machine's affair.
    for (int k = 0; k < 100; ++k) bench.step(k, 1e-4 * k);
    listen(bench, News::kAnswer, 12);
    bench.order(Order::kHold);
    bench.order(Order::kRamp);
    listen(bench, News::kRamped, 1);
    thread.end();
    bench.listen();
    EXPECT_EQ(bench.all(News::kFault).size(), 0U);
    EXPECT_EQ(bench.rig.position, 0.0);
    EXPECT_EQ(bench.loop.ticks(), bench.rig.writes);
    EXPECT_GE(bench.rig.writes, 12);  // one for each answer, however many are missed
    EXPECT_GT(bench.timed.account().wakeup_latency_max, Duration::zero());
  }
}

TEST(ControlThread, IsStillWhenItHasEnded) {
  TimedBench bench(settings());
  const timing::MonotonicClock clock;
  ControlThread thread({.priority = 0}, clock);
  thread.end();  // before it began
  thread.begin(bench.timed);
  bench.start(clock.now());
  bench.step(0, 1e-4);
  listen(bench, News::kAnswer, 1);
  thread.end();
  const int reads = bench.rig.reads;
  thread.end();
  bench.order(Order::kHold);
  EXPECT_EQ(bench.rig.reads, reads);
  thread.begin(bench.timed);  // another takes over where it was
  bench.order(Order::kRamp);
  listen(bench, News::kRamped, 1);
}

TEST(ControlThread, SaysWhatTheHostDidNotGrant) {
  TimedBench bench(settings());
  const timing::MonotonicClock clock;
  ControlThread thread({.priority = 0, .cpu = 100'000}, clock);
  thread.begin(bench.timed);
  thread.end();
  const std::vector<std::string> warnings = thread.warnings();
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings.back().find("100000"), std::string::npos) << warnings.back();
}

}  // namespace
}  // namespace trestle::site_node::control_thread_test
