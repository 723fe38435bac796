#include "site-servers/trajectory/ramp_hold_trajectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace trestle::ramp_motion_test {
namespace {

constexpr double kTick = 1e-3;

InterfaceLayout layout() {
  return {{.name = "floor.x", .rate_limit = 0.02, .acceleration_limit = 0.3},
          {.name = "floor.rz",
           .kind = DofKind::kRotation,
           .rate_limit = 0.5,
           .acceleration_limit = 0.05},
          {.name = "foot.x", .role = DofRole::kForceOnly}};
}

trajectory::RampSettings settings() {
  return {
      .tick = kTick, .rate = 0.01, .rotation_rate = 0.02, .settle = 0.1, .average = 0.02};
}

InterfaceMotion target(double x, double rz) {
  InterfaceMotion to = InterfaceMotion::zero(2);
  to.displacement << x, rz;
  to.velocity << 7.0, -3.0;  // of the structure's time: nothing to the ramp
  return to;
}

TEST(RampHoldTrajectory, StaysWithinRatesAndAccelerations) {
  trajectory::RampHoldTrajectory motion(layout(), settings());
  motion.start(InterfaceVector::Zero(2));
  std::mt19937 random(4);
  std::uniform_real_distribution<double> size(-7.0, -1.5);
  std::bernoulli_distribution sign(0.5);
  const double rates[] = {0.01, 0.02};
  const double accelerations[] = {0.3, 0.05};
  InterfaceVector before = InterfaceVector::Zero(2);
  InterfaceVector rate = InterfaceVector::Zero(2);
  InterfaceMotion to = target(0.0, 0.0);
  double fastest = 0.0;
  for (int step = 0; step < 60; ++step) {
    for (Eigen::Index i = 0; i < 2; ++i)
      to.displacement[i] += (sign(random) ? 1.0 : -1.0) * std::pow(10.0, size(random));
    motion.aim(to, 3);
    while (!motion.arrived()) {
      const InterfaceMotion now = motion.next();
      const InterfaceVector moved = (now.displacement - before) / kTick;
      for (Eigen::Index i = 0; i < 2; ++i) {
        // Means over a tick and over two of what is bounded; 1e-9 is what ticks_of() takes
        // for rounding.
        EXPECT_LE(std::abs(moved[i]), rates[i] * (1.0 + 1e-8));
        EXPECT_EQ(now.velocity[i], 0.0) << "nothing to lead";
        EXPECT_EQ(now.acceleration[i], 0.0);
        EXPECT_LE(std::abs(moved[i] - rate[i]) / kTick, accelerations[i] * (1.0 + 1e-6));
        fastest = std::max(fastest, std::abs(moved[i]) / rates[i]);
      }
      rate = moved;
      before = now.displacement;
    }
    EXPECT_EQ(before, to.displacement) << "to the bit";
  }
  EXPECT_GT(fastest, 0.98) << "and it does not creep";
}

TEST(RampHoldTrajectory, TakesTicksThatAreAFunctionOfTheWayAlone) {
  const auto ticks = [](double from, double to, int hint) {
    trajectory::RampHoldTrajectory motion(layout(), settings());
    motion.start(InterfaceVector::Zero(2));
    motion.aim(target(from, 0.0), hint);
    while (!motion.arrived()) motion.next();
    for (int n = 0; n < hint; ++n) motion.next();
    motion.aim(target(to, 0.0), hint);
    int count = 0;
    for (; !motion.arrived(); ++count) {
      EXPECT_EQ(motion.remaining_ticks(), motion.remaining_ticks());
      motion.next();
    }
    return count;
  };
  const int expected = ticks(0.0, 0.004, 0);
  // 1.5·4 mm / 10 mm/s, settled and averaged.
  EXPECT_EQ(expected, 600 + 100 + 20);
  EXPECT_EQ(ticks(0.0, 0.004, 17), expected);
  EXPECT_EQ(ticks(0.004, 0.0, 5), expected);
  EXPECT_EQ(ticks(0.0, 0.0, 5), 1 + 100 + 20) << "one tick of no way";
}

TEST(RampHoldTrajectory, MeasuresAfterItHasSettled) {
  trajectory::RampHoldTrajectory motion(layout(), settings());
  EXPECT_TRUE(motion.arrived());
  EXPECT_EQ(motion.averaged_ticks(), 20);
  motion.start(InterfaceVector::Zero(2));
  motion.aim(target(0.004, 0.0), 0);
  EXPECT_FALSE(motion.measuring());
  for (int tick = 1; tick <= 720; ++tick) {
    EXPECT_EQ(motion.remaining_ticks(), 721 - tick);
    const InterfaceMotion now = motion.next();
    EXPECT_EQ(motion.measuring(), tick > 700) << tick;
    EXPECT_EQ(motion.arrived(), tick == 720);
    if (tick >= 600) {
      EXPECT_EQ(now.displacement[0], 0.004);
      EXPECT_EQ(now.velocity[0], 0.0);
      EXPECT_EQ(now.acceleration[0], 0.0);
    }
  }
}

TEST(RampHoldTrajectory, AveragesAtLeastOneTick) {
  trajectory::RampSettings none = settings();
  none.settle = none.average = 0.0;
  trajectory::RampHoldTrajectory motion(layout(), none);
  EXPECT_EQ(motion.averaged_ticks(), 1);
  motion.start(InterfaceVector::Zero(2));
  motion.aim(target(0.0, 0.0), 0);
  motion.next();
  EXPECT_FALSE(motion.measuring()) << "the ramp's tick";
  motion.next();
  EXPECT_TRUE(motion.measuring());
  EXPECT_TRUE(motion.arrived());
}

TEST(RampHoldTrajectory, HoldsInMidRamp) {
  trajectory::RampHoldTrajectory motion(layout(), settings());
  motion.start(InterfaceVector::Zero(2));
  motion.aim(target(0.004, 0.001), 0);
  for (int n = 0; n < 299; ++n) motion.next();
  const InterfaceVector there = motion.next().displacement;
  motion.hold();
  EXPECT_TRUE(motion.arrived());
  for (int n = 0; n < 3; ++n) EXPECT_EQ(motion.next().displacement, there);
  EXPECT_NEAR(there[0], 0.002, 1e-15) << "half of the way after half of the time";
  motion.aim(target(0.004, 0.001), 0);
  EXPECT_LT((motion.next().displacement - there).norm(), 1e-6) << "on from there";
}

TEST(RampHoldTrajectory, GoesOnFromASnapshotToTheBit) {
  trajectory::RampHoldTrajectory motion(layout(), settings());
  motion.start(InterfaceVector::Zero(2));
  motion.aim(target(1e-4, 0.0), 0);
  for (int n = 0; n < 200; ++n) {
    if (motion.arrived()) motion.aim(target(-1e-4, 1e-5), 0);
    SnapshotWriter writer;
    motion.save(writer);
    trajectory::RampHoldTrajectory twin(layout(), settings());
    SnapshotReader reader(writer.values());
    twin.restore(reader);
    EXPECT_TRUE(reader.at_end());
    const InterfaceMotion now = motion.next();
    EXPECT_EQ(twin.next().displacement, now.displacement);
    EXPECT_EQ(twin.measuring(), motion.measuring());
    EXPECT_EQ(twin.arrived(), motion.arrived());
  }
}

}  // namespace
}  // namespace trestle::ramp_motion_test
