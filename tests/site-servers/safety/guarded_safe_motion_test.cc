#include "site-servers/safety/guarded_safe_motion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::safety::safe_return_test {
namespace {

constexpr double kTick = 1.0 / 1024;

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

SafeAction home() {
  return {.kind = SafeAction::Kind::kRampHome, .rate = one(0.01), .acceleration = one(0.1)};
}

SafeAction unload() {
  return {.kind = SafeAction::Kind::kUnload,
          .rate = one(0.01),
          .band = one(1.0),
          .travel = one(1.0)};
}

Measurement felt(double displacement, double force) {
  return {one(displacement), one(force)};
}

TEST(GuardedSafeMotion, GoesHomeWhateverForceAndLagAre) {
  GuardedSafeMotion safe(home(), {{.force = 100.0, .tracking_error = 1e-6}}, kTick);
  safe.start(one(0.02), felt(0.5, 1e6), true);
  double last = 0.02;
  int ticks = 0;
  for (; !safe.finished() && ticks < 100'000; ++ticks) last = safe.next(felt(0.5, 1e6))[0];
  EXPECT_EQ(last, 0.0);
  EXPECT_FALSE(safe.held());
  EXPECT_GT(ticks, 1000);
  EXPECT_EQ(safe.next(felt(0, 0)), one(0.0));
}

TEST(GuardedSafeMotion, HoldsForGoodWhereItsGateHoldsADriveBack) {
  // Against the sign of the force, but out of the envelope.
  GuardedSafeMotion safe(unload(), {{.displacement = 0.02}}, kTick);
  safe.start(one(0.02), felt(0.02, -1000.0), true);
  EXPECT_EQ(safe.next(felt(0.02, -1000.0)), one(0.02));
  EXPECT_TRUE(safe.held());
  EXPECT_EQ(safe.fault().kind, FaultKind::kDisplacementLimit);
  EXPECT_EQ(safe.next(felt(0.02, 1000.0)), one(0.02));
}

TEST(GuardedSafeMotion, DoesNotLeadARigThatStandsOutsideItsLimits) {
  GuardedSafeMotion safe(home(), {{.displacement = 0.01}}, kTick);
  safe.start(one(0.02), felt(0.02, 0.0), true);
  EXPECT_EQ(safe.next(felt(0.02, 0.0)), one(0.02));
  EXPECT_TRUE(safe.held());
}

TEST(GuardedSafeMotion, StaysWithinRateAndAccelerationOfItsGate) {
  GuardedSafeMotion safe(home(), {{.rate = 1e-3, .acceleration = 1e-3}}, kTick);
  safe.start(one(0.02), felt(0.02, 0.0), true);
  while (!safe.finished()) safe.next(felt(0.0, 0.0));
  EXPECT_FALSE(safe.held());
  EXPECT_FALSE(safe.fault());
}

TEST(GuardedSafeMotion, HoldsWhereItMayNotMove) {
  GuardedSafeMotion safe(home(), RigLimits(1), kTick);
  safe.start(one(0.02), felt(0.02, 0.0), false);
  EXPECT_TRUE(safe.held());
  EXPECT_EQ(safe.next(felt(0.02, 0.0)), one(0.02));
  safe.start(one(std::nan("")), felt(0.02, 0.0), true);
  EXPECT_TRUE(safe.held());
  EXPECT_EQ(safe.next(felt(0.02, 0.0)), one(0.02)) << "the last that was a drive";
}

TEST(GuardedSafeMotion, HoldsForGoodOnAMeasurementThatIsNone) {
  GuardedSafeMotion safe(home(), RigLimits(1), kTick);
  safe.start(one(0.02), felt(0.02, 0.0), true);
  const ActuatorVector last = safe.next(felt(0.02, 0.0));
  EXPECT_EQ(safe.next(felt(std::nan(""), 0.0)), last);
  EXPECT_EQ(safe.fault().kind, FaultKind::kNotFinite);
  EXPECT_TRUE(safe.held());
  EXPECT_EQ(safe.next(felt(0.02, 0.0)), last);
}

TEST(GuardedSafeMotion, MindsNothingOnceItHasArrived) {
  GuardedSafeMotion safe(home(), RigLimits(1), kTick);
  safe.start(one(0.02), felt(0.02, 0.0), true);
  while (!safe.finished()) safe.next(felt(0.0, 0.0));
  EXPECT_EQ(safe.next(felt(std::nan(""), 0.0)), one(0.0));
  EXPECT_FALSE(safe.held());
}

TEST(GuardedSafeMotion, HoldsWhereItIsToldAndStartsAgain) {
  GuardedSafeMotion safe(home(), RigLimits(1), kTick);
  safe.start(one(0.02), felt(0.02, 0.0), true);
  const ActuatorVector last = safe.next(felt(0.02, 0.0));
  safe.hold();
  EXPECT_EQ(safe.next(felt(0.02, 0.0)), last);
  EXPECT_TRUE(safe.held());
  safe.cancel();
  EXPECT_FALSE(safe.finished());
  safe.start(one(0.01), felt(0.01, 0.0), true);
  EXPECT_FALSE(safe.finished());
}

TEST(GuardedSafeMotion, GoesOnFromASnapshotToTheBit) {
  GuardedSafeMotion safe(home(), {{.rate = 0.02}}, kTick);
  GuardedSafeMotion twin(home(), {{.rate = 0.02}}, kTick);
  safe.start(one(0.02), felt(0.02, 0.0), true);
  for (int n = 0; n < 100; ++n) safe.next(felt(0.02, 0.0));
  SnapshotWriter writer;
  safe.save(writer);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  while (!safe.finished()) ASSERT_EQ(safe.next(felt(0.0, 0.0)), twin.next(felt(0.0, 0.0)));
  EXPECT_TRUE(twin.finished());
  EXPECT_FALSE(twin.held());
}

}  // namespace
}  // namespace trestle::safety::safe_return_test
