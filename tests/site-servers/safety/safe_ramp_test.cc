#include "site-servers/safety/safe_ramp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trestle::safety::safe_ramp_test {
namespace {

constexpr double kTick = 1e-3;

TEST(SafeRamp, ArrivesAtZeroExactlyAfterItsDuration) {
  SafeRamp ramp(RigLimits(2), kTick, 0.1);
  EXPECT_FALSE(ramp.started());
  EXPECT_FALSE(ramp.finished());
  ramp.start(ActuatorVector{{0.05, -0.02}});
  for (int n = 0; n < 99; ++n) ramp.next();
  EXPECT_FALSE(ramp.finished());
  EXPECT_EQ(ramp.next(), ActuatorVector::Zero(2));
  EXPECT_TRUE(ramp.finished());
  EXPECT_EQ(ramp.next(), ActuatorVector::Zero(2));
}

TEST(SafeRamp, SlowsDownForTheSlowestActuator) {
  const double rate = 0.1;
  SafeRamp ramp({{.rate = 10.0}, {.rate = rate}}, kTick, 0.1);
  ActuatorVector last{{0.05, -0.02}};
  ramp.start(last);
  double fastest = 0.0;
  int ticks = 0;
  while (!ramp.finished()) {
    const ActuatorVector drive = ramp.next();
    fastest = std::max(fastest, std::abs(drive[1] - last[1]) / kTick);
    EXPECT_NEAR(drive[0] * -0.02, drive[1] * 0.05, 1e-18) << "one straight line";
    last = drive;
    ++ticks;
  }
  EXPECT_NEAR(ticks, 0.02 / (0.5 * rate) / kTick, 1.0);
  // Three quarters of the limit at the steepest point of 3s² − 2s³.
  EXPECT_LE(fastest, 0.75 * rate * (1.0 + 1e-9));
  EXPECT_GT(fastest, 0.74 * rate);
}

TEST(SafeRamp, KeepsItsAccelerationBelowThatOfEachActuator) {
  const double most = 0.5;
  SafeRamp ramp({{.acceleration = 10.0}, {.acceleration = most}}, kTick, 0.0);
  ActuatorVector last{{0.05, -0.02}};
  ActuatorVector before = last;
  ramp.start(last);
  double largest = 0.0;
  int ticks = 0;
  for (int after = 0; after < 2; after += ramp.finished() ? 1 : 0) {
    const ActuatorVector drive = ramp.next();
    largest = std::max(largest, std::abs(drive[1] - 2.0 * last[1] + before[1]));
    before = last;
    last = drive;
    ++ticks;
  }
  // 6·D/T² is three quarters of the limit.
  EXPECT_NEAR(ticks - 1, std::sqrt(8.0 * 0.02 / most) / kTick, 1.0);
  EXPECT_LE(largest / (kTick * kTick), 0.75 * most);
  EXPECT_GT(largest / (kTick * kTick), 0.73 * most);
}

TEST(SafeRamp, GoesOnFromASnapshotToTheBit) {
  SafeRamp ramp(RigLimits(2), kTick, 0.1);
  SafeRamp twin(RigLimits(2), kTick, 0.1);
  ramp.start(ActuatorVector{{0.05, -0.02}});
  for (int n = 0; n < 40; ++n) ramp.next();
  SnapshotWriter writer;
  ramp.save(writer);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int n = 0; n < 60; ++n) {
    EXPECT_FALSE(twin.finished());
    EXPECT_EQ(twin.next(), ramp.next());
  }
  EXPECT_TRUE(twin.finished());
}

TEST(SafeRamp, StartsAnewAndEndsAtAZeroWithoutASign) {
  SafeRamp ramp(RigLimits(2), kTick, 0.1);
  for (int run = 0; run < 2; ++run) {
    ramp.start(ActuatorVector{{0.05, -0.02}});
    int ticks = 0;
    for (; !ramp.finished(); ++ticks) ramp.next();
    EXPECT_EQ(ticks, 100);
    EXPECT_FALSE(std::signbit(ramp.next()[1]));
  }
}

TEST(SafeRamp, IsThereAtOnceWithoutDuration) {
  SafeRamp ramp(RigLimits(1), kTick, 0.0);
  ramp.start(ActuatorVector::Constant(1, 0.01));
  EXPECT_EQ(ramp.next()[0], 0.0);
  EXPECT_TRUE(ramp.finished());
}

}  // namespace
}  // namespace trestle::safety::safe_ramp_test
