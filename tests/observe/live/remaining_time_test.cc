#include "observe/live/remaining_time.h"

#include <gtest/gtest.h>

namespace trestle::live::remaining_time_test {
namespace {

TEST(RemainingTime, SaysNothingBeforeTenSecondsOfRunning) {
  RemainingTime remaining;
  for (int i = 0; i <= 99; ++i) remaining.add(0.1 * i, i, true);
  EXPECT_FALSE(remaining.left(100));
  for (int i = 100; i <= 110; ++i) remaining.add(0.1 * i, i, true);
  ASSERT_TRUE(remaining.left(100));
  EXPECT_NEAR(remaining.left(100)->seconds, 10.0, 0.1);
  EXPECT_NEAR(remaining.left(100)->plus_minus, 0.0, 0.1);
  EXPECT_NEAR(remaining.rate(), 10.0, 0.1);
}

TEST(RemainingTime, DoesNotCountHolds) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 300; ++i) remaining.add(now += 0.1, ++steps, true);
  for (int i = 0; i < 600; ++i) remaining.add(now += 0.1, steps, false);
  EXPECT_FALSE(remaining.left(100));
  EXPECT_NEAR(remaining.stands_still(), 60.0, 0.2);
  for (int i = 0; i < 50; ++i) remaining.add(now += 0.1, ++steps, true);
  ASSERT_TRUE(remaining.left(100));
  EXPECT_NEAR(remaining.left(100)->seconds, 10.0, 0.3);
}

TEST(RemainingTime, GoesByTheLastMinute) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 1000; ++i) remaining.add(now += 0.1, steps += 10, true);
  for (int i = 0; i < 1000; ++i) remaining.add(now += 0.1, steps += 1, true);
  EXPECT_NEAR(remaining.left(100)->seconds, 10.0, 0.2);
}

TEST(RemainingTime, SaysNothingWhileNoStepIsCompleted) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 300; ++i) remaining.add(now += 0.1, ++steps, true);
  for (int i = 0; i < 100; ++i) remaining.add(now += 0.1, steps, true);
  EXPECT_FALSE(remaining.left(100));
}

}  // namespace
}  // namespace trestle::live::remaining_time_test
