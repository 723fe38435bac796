#include "observe/live/remaining_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

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

TEST(RemainingTime, TellsNoPaceOfAFractionOfASecond) {
  RemainingTime remaining;
  remaining.add(0.0, 0, true);
  remaining.add(0.2, 17, true);
  EXPECT_EQ(remaining.rate(), 0.0) << "85 steps came together";
  for (int i = 1; i <= 10; ++i) remaining.add(0.2 + i, 17 + 7 * i, true);
  EXPECT_NEAR(remaining.rate(), 8.5, 0.1);
}

// A log writes a line, and looks, every 3 s or a little later.
TEST(RemainingTime, TakesNoTimeBetweenTwoLooksOfALogForAWait) {
  RemainingTime remaining;
  for (int i = 0; i <= 20; ++i) {
    remaining.add(3.2 * i, 22 * i, true);
    if (i > 0) EXPECT_NEAR(remaining.rate(), 22.0 / 3.2, 0.1) << "look " << i;
  }
}

TEST(RemainingTime, LeavesOutAWaitThatTheLooksOfALogSaw) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 10; ++i) remaining.add(now += 3.2, steps += 22, true);
  for (int i = 0; i < 6; ++i) remaining.add(now += 3.2, steps, true);
  remaining.add(now += 3.2, steps += 10, true);
  EXPECT_NEAR(remaining.rate(), 22.0 / 3.2, 0.2);
}

TEST(RemainingTime, CountsNoStepsWithoutTheirTime) {
  RemainingTime remaining;
  remaining.add(0.0, 0, false);
  remaining.add(3.0, 21, true);  // it began to run between the two looks
  remaining.add(6.0, 42, true);
  EXPECT_NEAR(remaining.rate(), 7.0, 1e-9);
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

// The last step is seen when the test holds already.
TEST(RemainingTime, CountsHowLongATestHasHeld) {
  RemainingTime remaining;
  remaining.add(0.0, 5, true);
  remaining.add(1.0, 6, false);
  EXPECT_EQ(remaining.stands_still(), 0.0);
  remaining.add(4.0, 6, false);
  EXPECT_EQ(remaining.stands_still(), 3.0);
  remaining.add(9.0, 6, false);
  EXPECT_EQ(remaining.stands_still(), 8.0);
  remaining.add(10.0, 6, true);
  EXPECT_EQ(remaining.stands_still(), 9.0) << "it goes on, but no step is done yet";
  remaining.add(11.0, 7, true);
  EXPECT_EQ(remaining.stands_still(), 0.0);
}

TEST(RemainingTime, DoesNotCountAWaitForASite) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 300; ++i) remaining.add(now += 0.1, ++steps, true);
  for (int i = 0; i < 200; ++i) remaining.add(now += 0.1, steps, true);
  EXPECT_FALSE(remaining.left(100)) << "it waits";
  for (int i = 0; i < 50; ++i) remaining.add(now += 0.1, ++steps, true);
  ASSERT_TRUE(remaining.left(100));
  EXPECT_NEAR(remaining.left(100)->seconds, 10.0, 0.3);
  EXPECT_NEAR(remaining.left(100)->plus_minus, 0.0, 0.3);
  EXPECT_NEAR(remaining.rate(), 10.0, 0.3);
}

TEST(RemainingTime, FollowsATestThatBecomesSlow) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 300; ++i) remaining.add(now += 0.1, ++steps, true);
  for (int i = 0; i < 40; ++i) {  // from ten steps in a second to one in 5 s
    for (int k = 0; k < 49; ++k) remaining.add(now += 0.1, steps, true);
    remaining.add(now += 0.1, ++steps, true);
  }
  ASSERT_TRUE(remaining.left(10));
  EXPECT_NEAR(remaining.left(10)->seconds, 50.0, 5.0);
}

TEST(RemainingTime, CountsASlowStep) {
  RemainingTime remaining;
  double now = 0.0;
  std::int64_t steps = 0;
  for (int i = 0; i < 20; ++i) {  // a step in 2 s
    for (int k = 0; k < 19; ++k) remaining.add(now += 0.1, steps, true);
    remaining.add(now += 0.1, ++steps, true);
  }
  ASSERT_TRUE(remaining.left(10));
  EXPECT_NEAR(remaining.left(10)->seconds, 20.0, 2.0);
}

TEST(RemainingTime, TakesThePaceOfTheModeWhileTheTestKeepsIt) {
  RemainingTime remaining;
  for (int i = 0; i <= 20; ++i) remaining.add(0.1 * i, 10 * i, true);
  EXPECT_FALSE(remaining.left(1000)) << "too early";
  ASSERT_TRUE(remaining.left(1000, 100.0));
  EXPECT_NEAR(remaining.left(1000, 100.0)->seconds, 10.0, 1e-9);
  EXPECT_FALSE(remaining.left(1000, 200.0)) << "it runs at half of that";
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

/// Made runs whose pace wanders, with holds: 0 to 1, uniform, the same on every machine.
class Chance {
 public:
  explicit Chance(std::uint32_t seed) : engine_(seed) {}
  double next() { return static_cast<double>(engine_()) / 4294967296.0; }

 private:
  std::mt19937 engine_;
};

/// How often the true end lies inside the estimate, at a quarter, a half and three
/// quarters.
int hits_of_a_run(std::uint32_t seed) {
  Chance chance(seed);
  constexpr std::int64_t kSteps = 6000;
  RemainingTime remaining;
  struct Judged {
    double seconds;
    double plus_minus;
    double ran;
  };
  std::vector<Judged> judged;
  double now = 0.0, ran = 0.0, steps = 0.0, wander = 0.0;
  double hold_left = 0.0;
  std::int64_t next = kSteps / 4;
  while (steps < kSteps) {
    now += 0.25;
    if (hold_left <= 0.0 && chance.next() < 0.0015) hold_left = 5.0 + 60.0 * chance.next();
    if (hold_left > 0.0) {
      hold_left -= 0.25;
      remaining.add(now, static_cast<std::int64_t>(steps), false);
      continue;
    }
    ran += 0.25;
    wander += -0.05 * wander + 0.08 * (chance.next() - 0.5);  // the network, the disk
    steps += 0.25 * 10.0 * (1.0 + wander) * (0.8 + 0.4 * chance.next());
    remaining.add(now, static_cast<std::int64_t>(steps), true);
    if (steps < static_cast<double>(next) || judged.size() == 3) continue;
    const auto left = remaining.left(kSteps - static_cast<std::int64_t>(steps));
    if (!left) continue;  // it has just been resumed
    judged.push_back({left->seconds, left->plus_minus, ran});
    next += kSteps / 4;
  }
  int hits = 0;
  for (const Judged& one : judged)
    hits += std::abs(ran - one.ran - one.seconds) <= one.plus_minus ? 1 : 0;
  return judged.size() == 3 ? hits : -100;
}

TEST(RemainingTime, HoldsTheTrueEndInFourOfFiveLooks) {
  int hits = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) hits += hits_of_a_run(seed);
  EXPECT_GE(hits, 48) << "of 60";
  EXPECT_LT(hits, 60) << "an estimate that is never wrong is too wide";
}

}  // namespace
}  // namespace trestle::live::remaining_time_test
