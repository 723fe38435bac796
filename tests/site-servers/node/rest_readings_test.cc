#include "site-servers/node/rest_readings.h"

#include <gtest/gtest.h>

#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::rest_readings_test {
namespace {

using testing::after;

constexpr double kTick = 0.01;

/// Gives as many values as it is asked to, and notes how many there was room for.
class Rig final : public testing::CountingRig {
 public:
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    room = sensed.force_only.size();
    sensed.displacement.setConstant(values, 0.01);
    sensed.force.setConstant(values, 2e3);
    sensed.force_only.setConstant(3, 5e2);
    return AdapterStatus::kOk;
  }
  Eigen::Index values = 2;
  Eigen::Index room = -1;
};

struct Bench {
  Health tick(int count) {
    for (int n = 0; n < count; ++n) EXPECT_TRUE(readings.tick(number++));
    Health seen;
    health.take(seen);
    return seen;
  }

  Rig rig;
  LoopHealth health{RigLimits(2), kTick, 3, 0};
  RestReadings readings{rig, 2, 3, health, after(kTick)};
  std::int64_t number = 0;
};

TEST(RestReadings, HaveRoomForTheLoadCellsFromTheFirstTickOn) {
  Bench bench;
  bench.tick(1);
  EXPECT_EQ(bench.rig.room, 3) << "a tick that makes it allocates";
  const Health seen = bench.tick(99);
  ASSERT_EQ(seen.mean.size(), 7U);
  EXPECT_NEAR(seen.mean[6], 5e2, 1e-9);
}

TEST(RestReadings, ReadNothingOfARigThatGivesAnotherNumberOfValues) {
  Bench bench;
  EXPECT_EQ(bench.tick(100).mean.size(), 7U);
  for (const Eigen::Index values : {1, 0, 3}) {
    bench.rig.values = values;
    EXPECT_TRUE(bench.tick(100).mean.empty()) << values;
  }
  bench.rig.values = 2;
  EXPECT_EQ(bench.tick(100).mean.size(), 7U);
}

}  // namespace
}  // namespace trestle::site_node::rest_readings_test
