#include <gtest/gtest.h>

#include "numerical/node/make_step_schedule.h"

namespace trestle::integrator_node::step_schedule_test {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint at(int millisecond) {
  return TimePoint{milliseconds(millisecond)};
}

/// Δt = 10 ms; a site takes 20 ms to its first tick.
ScheduleSettings settings(int latency = 0) {
  return {.time_step = 0.01,
          .latency_steps = latency,
          .scale = 100.0,
          .deadline = 0.75,
          .time_to_start = milliseconds(20)};
}

std::unique_ptr<StepSchedule> schedule(ExecutionMode mode, int latency = 0) {
  return make_step_schedule(mode, settings(latency));
}

TEST(StepSchedule, IsThatOfItsMode) {
  for (const PaceRules& rules : kPaceRules)
    EXPECT_EQ(&schedule(rules.mode)->rules(), &rules) << name(rules.mode);
}

TEST(StepSchedule, BeginsAtOnceOrWhenEverySiteCanHaveReadAndAnswered) {
  const auto zero = [](ExecutionMode mode) {
    return schedule(mode)->zero_at_start(at(100), milliseconds(7));
  };
  EXPECT_EQ(zero(ExecutionMode::kSimulated), at(100));
  for (const ExecutionMode mode : {ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous, ExecutionMode::kRealTime})
    EXPECT_EQ(zero(mode), at(100 + 2 * 7 + 20)) << name(mode);
}

TEST(StepSchedule, LetsNoTimePassInAHoldInRealTimeAlone) {
  for (const ExecutionMode mode : {ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous})
    EXPECT_EQ(schedule(mode)->zero_at_resume(at(500), at(3), 12, milliseconds(7)), at(3))
        << name(mode);
  // Step 12 begins a step after what the slower takes: four trips, or its way to a tick.
  const auto zero = [](Duration round_trip) {
    return schedule(ExecutionMode::kRealTime)
        ->zero_at_resume(at(500), at(3), 12, round_trip);
  };
  EXPECT_EQ(zero(milliseconds(7)), at(500 + 28 + 10 - 120));
  EXPECT_EQ(zero(milliseconds(2)), at(500 + 20 + 10 - 120));
}

TEST(StepSchedule, IsDueByTheNumberOfTheStepAndTheLatency) {
  for (const ExecutionMode mode :
       {ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic})
    EXPECT_EQ(schedule(mode)->due(12, at(700), milliseconds(5)), at(120)) << name(mode);
  EXPECT_EQ(schedule(ExecutionMode::kRealTime, 3)->due(12, at(700), milliseconds(5)),
            at(150));
  EXPECT_EQ(schedule(ExecutionMode::kRealTime, 3)->due_again(12), at(150));
}

TEST(StepSchedule, IsDueInContinuousModeAStepAfterTheLastOrWhenTheSlowestCanHaveIt) {
  const auto continuous = schedule(ExecutionMode::kContinuous);  // a step takes 1 s
  EXPECT_EQ(continuous->due(0, at(0), milliseconds(5)), at(1000));
  EXPECT_EQ(continuous->due(1, at(990), milliseconds(5)), at(2000));
  EXPECT_EQ(continuous->due(2, at(4000), milliseconds(5)), at(4405)) << "late";
  EXPECT_EQ(continuous->due(3, at(4410), milliseconds(5)), at(5405));
  continuous->resumed(at(9000));
  EXPECT_EQ(continuous->due(4, at(9000), milliseconds(5)), at(10000));
}

TEST(StepSchedule, ClosesByTheClockInRealTimeAlone) {
  for (const ExecutionMode mode : {ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous})
    EXPECT_EQ(schedule(mode)->closes(12, at(3)), TimePoint::max()) << name(mode);
  const auto real_time = schedule(ExecutionMode::kRealTime, 2);
  EXPECT_EQ(real_time->closes(0, at(3)), at(3 + 10)) << "by the opening read";
  EXPECT_EQ(real_time->closes(1, at(3)), at(3 + 20));
  EXPECT_EQ(real_time->closes(2, at(3)), at(3 + 30 + 15)) << "three quarters of L steps";
  EXPECT_EQ(schedule(ExecutionMode::kRealTime)->closes(0, at(3)),
            TimePoint{std::chrono::microseconds(3000 + 10000 + 7500)})
      << "of one step at least";
}

TEST(StepSchedule, TakesNothingForSilenceThatTheClockHasNotReached) {
  for (const ExecutionMode mode :
       {ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic})
    EXPECT_EQ(schedule(mode)->silent_from(12, at(3), at(40)), at(40)) << name(mode);
  const auto real_time = schedule(ExecutionMode::kRealTime, 2);
  EXPECT_EQ(real_time->silent_from(2, at(3), at(40)), at(48));
  EXPECT_EQ(real_time->silent_from(2, at(3), at(60)), at(60));
  const auto continuous = schedule(ExecutionMode::kContinuous);
  continuous->due(0, at(0), milliseconds(5));
  EXPECT_EQ(continuous->silent_from(0, at(3), at(40)), at(1003));
  EXPECT_EQ(continuous->silent_from(0, at(3), at(1200)), at(1200));
}

}  // namespace
}  // namespace trestle::integrator_node::step_schedule_test
