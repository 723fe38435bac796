#include "core/host/timer_latency.h"

#include <gtest/gtest.h>

namespace trestle::host {
namespace {

TEST(TimerLatency, TakesQuantilesByNearestRank) {
  std::vector<Duration> late;
  for (int i = 1000; i >= 1; --i) late.emplace_back(i);
  const TimerLatency found = latency_statistics(late, 3);
  EXPECT_EQ(found.ticks, 1000);
  EXPECT_EQ(found.missed, 3);
  EXPECT_EQ(found.p50, Duration(500));
  EXPECT_EQ(found.p99, Duration(990));
  EXPECT_EQ(found.p999, Duration(999));
  EXPECT_EQ(found.max, Duration(1000));
}

TEST(TimerLatency, IsZeroWhereNothingWasMeasured) {
  EXPECT_EQ(latency_statistics({}, 0).max, Duration::zero());
}

TEST(TimerLatency, CountsEveryTickOfTheRunSleptToOrMissed) {
  TimerMeasurement run;
  run.period = std::chrono::microseconds(200);
  run.length = std::chrono::milliseconds(10);
  const auto measured = measure_timer(run);
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured.value().ticks, 50);
  EXPECT_LE(measured.value().missed, 50);
  EXPECT_LE(measured.value().p50, measured.value().max);
}

}  // namespace
}  // namespace trestle::host
