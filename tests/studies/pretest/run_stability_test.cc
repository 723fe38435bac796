#include "studies/pretest/run_stability.h"

#include <gtest/gtest.h>

namespace trestle::pretest::run_stability_test {
namespace {

/// Two actuators: the first leads by 1 ms behind its compensator, the second lags by 2 ms.
StabilityReport two() {
  StabilityReport report;
  report.known = true;
  report.actuators = {{"west", 1, 0.012, -0.001}, {"east", 2, 0.012, 0.002}};
  StabilityCase soft;
  soft.stiffness_part = 0.5;
  soft.compensated = {0.9, true, 5.0, {0.010, false}, {{0.016, false}, {0.020, false}}};
  StabilityCase stiff = soft;
  stiff.stiffness_part = 1.0;
  stiff.compensated.margin = {0.008, false};
  stiff.compensated.per_actuator = {{0.0075, false}, {0.030, false}};
  report.cases = {stiff, soft};
  return report;
}

TEST(DelayLimits, AreThoseOfTheWorstCaseAsTrackingShowsThem) {
  // West: 7.5 ms more than a lead of 1 ms. East: all by 8 ms are too much before it alone
  // is.
  EXPECT_EQ(delay_limits(two()), (RecordMetadata{{"delay_limit_s.west.1", "0.0065"},
                                                 {"delay_limit_s.east.2", "0.01"}}));
}

TEST(DelayLimits, AreNotThoseUpToWhichNothingWasFound) {
  StabilityReport report = two();
  for (StabilityCase& one : report.cases) {
    one.compensated.margin.at_least = true;
    one.compensated.per_actuator[1].at_least = true;
  }
  EXPECT_EQ(delay_limits(report), (RecordMetadata{{"delay_limit_s.west.1", "0.0065"}}));
}

TEST(DelayLimits, AreNoneOfALoopThatIsUnstableOrNotKnown) {
  StabilityReport report = two();
  report.cases[1].compensated.stable = false;
  EXPECT_TRUE(delay_limits(report).empty());
  report = two();
  report.known = false;
  EXPECT_TRUE(delay_limits(report).empty());
}

}  // namespace
}  // namespace trestle::pretest::run_stability_test
