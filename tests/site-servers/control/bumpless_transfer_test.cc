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

// Theory: 1.875·D/T <= 0.1·rate beside 1.73·V, 5.78·D/T² + 4.6·V/T <= 0.1·acceleration.
TEST(BumplessTransfer, JoinsWhatIsWantedFromRestWithinItsShareOfTheLimits) {
  trajectory::BumplessTransfer back(limits(), kTick);
  double before = 0.01;
  double way = 0.0;
  back.begin();
  for (int n = 0; n < 5000; ++n) {
    const double wanted = 0.002 + kVelocity * n * kTick;
    const double now = back.pass(one(wanted), one(before))[0];
    EXPECT_LE(std::abs(now - before) / kTick, 1.73 * kVelocity + 0.1 * kRate) << n;
    EXPECT_LE(std::abs(now - before - way) / (kTick * kTick), 0.1 * kAcceleration) << n;
    if (n == 4999) {
      EXPECT_EQ(now, wanted) << "bit for bit, in the end";
    }
    way = now - before;
    before = now;
  }
}

// As by a compensator that leads by the target's acceleration, when it has nearly joined.
TEST(BumplessTransfer, JoinsWhatJumpsWithinTheLimitOfRate) {
  trajectory::BumplessTransfer back(limits(), kTick);
  constexpr double kJump = 5.0 * kRate * kTick;
  double before = 0.01;
  double fastest = 0.0;
  back.begin();
  for (int n = 0; n < 5000; ++n) {
    const double wanted = 0.01 + (n < 95 ? 0.0 : kJump);
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

// Inverse of a delay of 28.7 ticks, whose first target after a hold is 1.2 mm from the last
// one before it: for one tick it asks for 35 mm more, in the other direction.
TEST(BumplessTransfer, WaitsUntilACompensatorHasForgottenTheTargetsBeforeTheRest) {
  constexpr double kLead = 28.72;
  constexpr double kSlow = 0.15;  // [m/s]
  trajectory::BumplessTransfer back({{.rate = kSlow}}, 1.0 / 512.0);
  double before = 3.822e-3;
  double last = before;
  double target = 2.616e-3;
  int joined = 0;
  back.begin();
  for (int n = 0; n < 6000; ++n) {
    const double wanted = target + kLead * (target - last);
    const double now = back.pass(one(wanted), one(before))[0];
    EXPECT_LE(std::abs(now - before) * 512.0, 0.95 * kSlow * (1.0 + 1e-12)) << n;
    ASSERT_GT(now, 2.6e-3) << n;
    ASSERT_LT(now, 26e-3) << n;
    if (back.active()) joined = n;
    before = now;
    last = target;
    target = std::min(target + 0.065 / 512.0, 22e-3);
  }
  EXPECT_LT(joined, 512) << "within a second";
  EXPECT_NEAR(before, 22e-3, 1e-12);
}

// A structure that swings about a place far from the one that is held: its first velocity
// says nothing about where it will be.
TEST(BumplessTransfer, StaysBetweenThePlaceHeldAndWhatIsWanted) {
  constexpr double kHeld = 0.04;
  constexpr double kSwing = 0.01;  // [m]
  trajectory::BumplessTransfer back({{.rate = 0.15}}, kTick);
  double before = kHeld;
  back.begin();
  for (int n = 0; n < 20000; ++n) {
    const double wanted = kSwing * std::sin(12.0 * kTick * n);
    before = back.pass(one(wanted), one(before))[0];
    ASSERT_GE(before, std::min(wanted, kHeld) - 1e-12) << n;
    ASSERT_LE(before, kHeld + 1e-12) << n;
  }
  EXPECT_FALSE(back.active());
}

// Two actuators of a frame that lets the second move twice as far as the first.
TEST(BumplessTransfer, KeepsActuatorsInProportionWhereOneIsTooFast) {
  trajectory::BumplessTransfer back({{.rate = kRate}, {.rate = kRate}}, kTick);
  ActuatorVector before = ActuatorVector::Zero(2);
  back.begin();
  for (int n = 0; n < 1000; ++n) {
    const double far = n < 3 ? 0.0 : 20.0 * kRate * kTick;
    before = back.pass(far * (ActuatorVector(2) << 1.0, 2.0).finished(), before);
    ASSERT_NEAR(before[1], 2.0 * before[0], 1e-12) << n;
  }
  EXPECT_EQ(before[0], 20.0 * kRate * kTick) << "it is there in the end";
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
