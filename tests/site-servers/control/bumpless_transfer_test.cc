#include "site-servers/trajectory/bumpless_transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trestle::bumpless_transfer_test {
namespace {

constexpr double kTick = 1e-3;          // [s]
constexpr double kRate = 0.5;           // [m/s]
constexpr double kAcceleration = 20.0;  // [m/s²]
constexpr double kVelocity = 0.2;       // of what is wanted [m/s]

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

RigLimits limits() {
  return {{.rate = kRate, .acceleration = kAcceleration}};
}

// Theory: 2.11·D/T <= 0.1·rate beside 1.216·V, 20·D/T² + 8·V/T <= 0.1·acceleration.
TEST(BumplessTransfer, JoinsWhatIsWantedFromRestWithinItsShareOfTheLimits) {
  trajectory::BumplessTransfer back(limits(), kTick);
  double before = 0.01;
  double way = 0.0;
  back.begin();
  for (int n = 0; n < 5000; ++n) {
    const double wanted = 0.002 + kVelocity * n * kTick;
    const double now = back.pass(one(wanted), one(before))[0];
    EXPECT_LE(std::abs(now - before) / kTick, 1.216 * kVelocity + 0.1 * kRate) << n;
    EXPECT_LE(std::abs(now - before - way) / (kTick * kTick), 0.1 * kAcceleration) << n;
    if (n == 4999) {
      EXPECT_EQ(now, wanted) << "bit for bit, in the end";
    }
    way = now - before;
    before = now;
  }
}

// As by a compensator that leads by the target's acceleration, at the third tick.
TEST(BumplessTransfer, JoinsWhatJumpsWithinTheLimitOfRate) {
  trajectory::BumplessTransfer back(limits(), kTick);
  constexpr double kJump = 5.0 * kRate * kTick;
  double before = 0.01;
  double fastest = 0.0;
  back.begin();
  for (int n = 0; n < 5000; ++n) {
    const double wanted = 0.01 + (n < 2 ? 0.0 : kJump);
    const double now = back.pass(one(wanted), one(before))[0];
    fastest = std::max(fastest, std::abs(now - before) / kTick);
    before = now;
  }
  EXPECT_NEAR(fastest, 0.95 * kRate, 1e-9);
  EXPECT_EQ(before, 0.01 + kJump) << "it is there in the end";
  back.begin();
  EXPECT_TRUE(back.active());
  for (int n = 0; n < 3; ++n) before = back.pass(one(std::nan("")), one(0.01))[0];
  EXPECT_TRUE(std::isnan(before)) << "the gate stops for it";
}

TEST(BumplessTransfer, LeavesToTheGateWhatStaysTooFast) {
  trajectory::BumplessTransfer back(limits(), kTick);
  double before = 0.0;
  double last = 0.0;
  back.begin();
  for (int n = 0; n < 5000; ++n) {
    const double wanted = 2.0 * kRate * kTick * std::max(0, n - 2);
    last = back.pass(one(wanted), one(before))[0] - before;
    before += last;
  }
  EXPECT_NEAR(last, 2.0 * kRate * kTick, 1e-12);
  EXPECT_FALSE(back.active());
}

TEST(BumplessTransfer, LeavesACommandThatNeverRestedAsItIs) {
  trajectory::BumplessTransfer back(limits(), kTick);
  EXPECT_EQ(back.pass(one(0.3), one(0.1))[0], 0.3);
  back.begin();
  back.cancel();
  EXPECT_EQ(back.pass(one(0.3), one(0.1))[0], 0.3);
}

TEST(BumplessTransfer, GoesOnFromItsSnapshot) {
  trajectory::BumplessTransfer first(limits(), kTick);
  trajectory::BumplessTransfer second(limits(), kTick);
  first.begin();
  for (int n = 0; n < 40; ++n) {
    SnapshotWriter writer;
    first.save(writer);
    SnapshotReader reader(writer.values());
    second.restore(reader);
    const double wanted = 1e-3 * n * n;
    const double expected = first.pass(one(wanted), one(1e-3))[0];
    EXPECT_EQ(second.pass(one(wanted), one(1e-3))[0], expected);
  }
}

}  // namespace
}  // namespace trestle::bumpless_transfer_test
