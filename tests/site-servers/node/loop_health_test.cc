#include "site-servers/node/loop_health.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace trestle::site_node::loop_health_test {
namespace {

constexpr double kTick = 0.01;

RigLimits limits() {
  return {{.displacement = 0.1,
           .rate = 0.5,
           .force = 1e4,
           .tracking_error = 0.01,
           .acceleration = 100.0}};
}

struct Bench {
  void tick(double drive, double measured, double force) {
    Measurement sensed = Measurement::zero(1);
    sensed.displacement[0] = measured;
    sensed.force[0] = force;
    const std::array<double, 1> extra{41.5};
    health.sensed(sensed, energy, extra);
    health.driven(ActuatorVector::Constant(1, drive));
  }
  safety::EnergyErrorMonitor energy{limits(), kTick};
  LoopHealth health{limits(), kTick, 0, 1};
};

TEST(LoopHealth, TellsTheMostThatWasUsedSinceItWasAskedLast) {
  Bench bench;
  bench.tick(0.0, 0.0, 0.0);
  bench.tick(0.001, 0.0, -2500.0);
  bench.tick(0.001, 0.0005, 100.0);
  Health health;
  bench.health.take(health);
  ASSERT_EQ(health.used.size(), 1U);
  EXPECT_DOUBLE_EQ(health.used[0].displacement, 0.01);
  EXPECT_DOUBLE_EQ(health.used[0].rate, 0.2);
  EXPECT_DOUBLE_EQ(health.used[0].acceleration, 0.1);
  EXPECT_DOUBLE_EQ(health.used[0].force, 0.25);
  EXPECT_DOUBLE_EQ(health.used[0].tracking_error, 0.05);
  EXPECT_EQ(health.used[0].energy_error, 0.0) << "nobody has stated that limit";
  EXPECT_EQ(health.auxiliary, std::vector<double>{41.5});
  EXPECT_TRUE(health.mean.empty()) << "no tenth of a second is over";
  bench.tick(0.001, 0.001, 1000.0);
  bench.health.take(health);
  EXPECT_DOUBLE_EQ(health.used[0].force, 0.1);
  EXPECT_EQ(health.used[0].rate, 0.0);
}

TEST(LoopHealth, TellsMeanAndDeviationOfTheLastSecond) {
  Bench bench;
  for (int n = 0; n < 300; ++n) bench.tick(0.5, 7.0, 1e3);
  for (int n = 0; n < 100; ++n) bench.tick(0.5, 1e3 + (n % 2 == 0 ? 1.0 : -1.0), 1e4);
  Health health;
  bench.health.take(health);
  ASSERT_EQ(health.mean.size(), 2U);
  EXPECT_NEAR(health.mean[0], 1e3, 1e-9);
  EXPECT_NEAR(health.deviation[0], std::sqrt(100.0 / 99.0), 1e-9);
  EXPECT_NEAR(health.mean[1], 1e4, 1e-9);
  EXPECT_NEAR(health.deviation[1], 0.0, 1e-9);
}

TEST(LoopHealth, TellsWhatARigReadsThatNothingDrivesAndNoUtilisation) {
  Bench bench;
  Measurement sensed = Measurement::zero(1);
  sensed.displacement[0] = 0.05;
  sensed.force[0] = 2e3;
  const std::array<double, 1> extra{41.5};
  for (int n = 0; n < 100; ++n) bench.health.read(sensed, extra);
  Health health;
  bench.health.take(health);
  ASSERT_EQ(health.mean.size(), 2U);
  EXPECT_NEAR(health.mean[0], 0.05, 1e-12);
  EXPECT_NEAR(health.mean[1], 2e3, 1e-9);
  EXPECT_EQ(health.used[0], LimitsUsed{}) << "it follows no drive";
  bench.health.forget();
  bench.health.take(health);
  EXPECT_TRUE(health.mean.empty()) << "a rig that cannot be read reads nothing";
  ASSERT_EQ(health.auxiliary.size(), 1U);
  EXPECT_TRUE(std::isnan(health.auxiliary[0])) << "nobody takes a contact for closed";
  sensed.force[0] = 5e3;
  for (int n = 0; n < 100; ++n) bench.health.read(sensed, extra);
  bench.health.take(health);
  ASSERT_EQ(health.mean.size(), 2U);
  EXPECT_NEAR(health.mean[1], 5e3, 1e-9) << "nothing of what it read before";
}

}  // namespace
}  // namespace trestle::site_node::loop_health_test
