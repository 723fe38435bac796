#include "studies/rehearsal/rig_monitor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace trestle::rehearsal::rig_watch_test {
namespace {

using std::chrono::milliseconds;

ActuatorVector drive(double value) {
  return ActuatorVector::Constant(1, value);
}

class RigWatchTest : public ::testing::Test {
 protected:
  RigWatchTest() {
    watch.allow({{0.1, 0.01}});
    watch.watchdog(milliseconds(100));
    watch.restart(1);
    watch.follow();
  }
  void write(double value, milliseconds at = milliseconds(0)) {
    watch.wrote(TimePoint{at}, drive(value));
  }

  RigMonitor watch{"west"};
};

TEST_F(RigWatchTest, LetsAMotionWithinItsLimitsPass) {
  for (int i = 1; i <= 10; ++i) write(0.01 * i);
  EXPECT_TRUE(watch.complaints().empty());
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 0);
}

TEST_F(RigWatchTest, SeesAJump) {
  write(0.011);
  EXPECT_EQ(watch.complaints().size(), 1U);
}

TEST_F(RigWatchTest, SeesADriveBeyondItsLimit) {
  for (int i = 1; i <= 11; ++i) write(0.01 * i);
  EXPECT_EQ(watch.complaints().size(), 1U);
}

TEST_F(RigWatchTest, SeesADriveThatIsNoNumber) {
  write(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(watch.complaints().size(), 1U);
}

TEST_F(RigWatchTest, SeesAStepFromZeroAfterARestart) {
  for (int i = 1; i <= 5; ++i) write(0.01 * i);
  watch.begin_life();
  watch.follow();
  write(0.0);
  EXPECT_EQ(watch.complaints().size(), 1U);
}

TEST_F(RigWatchTest, CountsTheTicksFromAFaultToTheSafeAction) {
  write(0.01);
  watch.trip();
  write(0.011);
  write(0.012);
  write(0.012);
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 2);
  EXPECT_TRUE(watch.complaints().empty());
  write(0.013);
  EXPECT_EQ(watch.complaints().size(), 1U);
}

TEST_F(RigWatchTest, ExpectsNoOtherMotionAfterAFaultUntilTheNextLife) {
  write(0.01);
  watch.trip();
  watch.follow();
  watch.ramp();
  for (int i = 0; i < 4; ++i) write(0.01 - 0.001 * i);
  EXPECT_EQ(watch.complaints().size(), 1U);
}

// It is read then to be shown.
TEST_F(RigWatchTest, TakesWhatIsReadBeforeItIsArmedForNoFault) {
  watch.begin_life();
  watch.trip();
  watch.follow();
  for (int i = 1; i <= 5; ++i) write(0.01 * i);
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 0);
  watch.begin_life();
  watch.be_armed();
  watch.trip();
  watch.follow();
  for (int i = 6; i <= 10; ++i) write(0.01 * i);
  EXPECT_GT(watch.max_ticks_to_safe_action(), 2);
}

TEST_F(RigWatchTest, TakesWhatIsReadWhereATestIsContinuedForAFault) {
  watch.begin_life();
  watch.continue_test();
  watch.trip();
  watch.follow();
  for (int i = 0; i < 5; ++i) write(0.001 * i);
  EXPECT_FALSE(watch.complaints().empty());
}

TEST_F(RigWatchTest, LetsARampGoHomeAndNowhereElse) {
  for (int i = 1; i <= 5; ++i) write(0.01 * i);
  watch.ramp();
  for (int i = 5; i >= 0; --i) write(0.01 * i);
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 0);
  write(-0.001);
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 1);
}

TEST_F(RigWatchTest, ExpectsStillnessAfterSilence) {
  watch.heard(TimePoint{});
  write(0.01, milliseconds(100));
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 0);
  write(0.011, milliseconds(101));
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 1);
  watch.heard(TimePoint{milliseconds(102)});
  write(0.012, milliseconds(103));
  EXPECT_EQ(watch.max_ticks_to_safe_action(), 1);
}

}  // namespace
}  // namespace trestle::rehearsal::rig_watch_test
