#include <gtest/gtest.h>

#include <cmath>

#include "tests/site-servers/node/timed_bench.h"
#include "tests/support/heap_counter.h"

namespace trestle::site_node {
namespace {

using testing::after;
using testing::at;
using testing::TimedBench;
using Order = LoopCommand::Kind;

TEST(TimedControlLoop, LeavesTheHeapAlone) {
  for (const ExecutionMode mode : {ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous, ExecutionMode::kRealTime}) {
    TimedBench bench(TimedBench::settings(mode), {.energy_error = 5.0});
    const std::size_t before = testing::heap_allocations();
    bench.start();
    for (int k = 0; k < 200; ++k) {
      if (k % 17 != 3)  // real time: missed
        bench.step(k, 1e-3 * std::sin(0.1 * k), 0.0, bench.clock.now() + after(0.003));
      if (k == 50) bench.stall(bench.clock.now() + after(0.013));
      if (k % 10 == 0) bench.order(Order::kClock, at(1e-5 * k));
      bench.timed.mailbox().message_received(bench.clock.now());
      bench.run_until(
          bench.clock.now() + after(mode == ExecutionMode::kPseudoDynamic ? 0.1 : 0.004),
          after(1e-5));
    }
    bench.order(Order::kHold);
    bench.run_until(bench.clock.now() + after(0.1));
    bench.order(Order::kRamp);
    bench.run_until(bench.clock.now() + after(0.1));
    bench.timed.account();
    const std::size_t allocated = testing::heap_allocations() - before;
    EXPECT_EQ(allocated, 0U) << name(mode);
    EXPECT_FALSE(bench.fault());
    EXPECT_GT(bench.heard.size(), 100U);
    EXPECT_LT(bench.heard.size(), bench.heard.capacity());
    EXPECT_EQ(bench.all(LoopEvent::Kind::kRamped).size(), 1U);
  }
}

}  // namespace
}  // namespace trestle::site_node
