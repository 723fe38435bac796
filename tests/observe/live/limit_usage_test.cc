#include "observe/live/limit_usage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>

#include "site-servers/safety/safety_gate.h"

namespace trestle::live::limit_usage_test {
namespace {

constexpr double kTick = 1.0 / 1024;

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

const UsedLimit& use(const LimitUsage::Uses& uses, LimitKind kind) {
  return uses[static_cast<std::size_t>(kind)];
}

struct Case {
  LimitKind kind;
  FaultKind fault;
  ActuatorLimits limits;
};

std::ostream& operator<<(std::ostream& out, const Case& given) {
  return out << name(given.kind);
}

class AgainstTheGate : public ::testing::TestWithParam<Case> {};

/// The gate is the oracle: it trips at the first row whose use is above 1, with this value.
TEST_P(AgainstTheGate, TheUseIsAboveOneWhereTheGateTrips) {
  const Case& given = GetParam();
  int tripped = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> draw(0.0, 1.0);
    safety::SafetyGate gate({given.limits}, kTick);
    LimitUsage usage({given.limits}, kTick);
    double drive = 0.0;
    Measurement sensed{one(0.0), one(0.0)};
    gate.reset(one(0.0));
    gate.pass(one(0.0), sensed);
    gate.pass(one(0.0), sensed);
    usage.add({one(0.0), one(0.0), one(0.0), one(0.0)});
    usage.add({one(0.0), one(0.0), one(0.0), one(0.0)});
    for (int tick = 0; tick < 200 && !gate.fault(); ++tick) {
      drive += 1e-4 * draw(random);
      gate.pass(one(drive), sensed);
      sensed = {one(drive + 2e-4 * draw(random)), one(100.0 * draw(random))};
      usage.add({one(drive), one(drive), sensed.displacement, sensed.force});
      const UsedLimit& found = use(usage.now(0), given.kind);
      const bool measured = given.kind == LimitKind::kForce;
      if (measured) gate.watch(sensed);
      // The tracking error of this row is judged with the next drive.
      if (given.kind == LimitKind::kTrackingError) gate.pass(one(drive), sensed);
      ASSERT_EQ(static_cast<bool>(gate.fault()), found.ratio() > 1.0);
      if (!gate.fault()) continue;
      ++tripped;
      EXPECT_EQ(gate.fault().kind, given.fault);
      EXPECT_EQ(gate.fault().value, found.value);
    }
  }
  EXPECT_GT(tripped, 10);
}

INSTANTIATE_TEST_SUITE_P(
    Limits, AgainstTheGate,
    ::testing::Values(Case{LimitKind::kDisplacement,
                           FaultKind::kDisplacementLimit,
                           {.displacement = 1e-3}},
                      Case{LimitKind::kRate, FaultKind::kRateLimit, {.rate = 0.25}},
                      Case{LimitKind::kForce, FaultKind::kForceLimit, {.force = 250.0}},
                      Case{LimitKind::kTrackingError,
                           FaultKind::kTrackingError,
                           {.tracking_error = 5e-4}},
                      Case{LimitKind::kAcceleration,
                           FaultKind::kAccelerationLimit,
                           {.acceleration = 400.0}}));

TEST(LimitUsage, KeepsTheHighestUntilItIsCleared) {
  LimitUsage usage({{.force = 200.0}}, kTick);
  usage.add({one(0), one(0), one(0), one(-150.0)});
  usage.add({one(0), one(0), one(0), one(50.0)});
  EXPECT_EQ(use(usage.highest(0), LimitKind::kForce).ratio(), 0.75);
  EXPECT_EQ(use(usage.now(0), LimitKind::kForce).ratio(), 0.25);
  usage.clear_highest();
  EXPECT_EQ(use(usage.highest(0), LimitKind::kForce).value, 0.0);
}

TEST(LimitUsage, TellsNoRateAcrossARowThatIsMissing) {
  LimitUsage usage({{.rate = 1.0}}, kTick);
  usage.add({one(0), one(0), one(0), one(0)});
  usage.add({one(0), one(0), one(std::nan("")), one(0)});
  usage.add({one(1.0), one(1.0), one(1.0), one(0)});
  EXPECT_EQ(use(usage.now(0), LimitKind::kRate).value, 0.0);
  usage.add({one(1.0), one(1.0 + kTick), one(1.0), one(0)});
  EXPECT_NEAR(use(usage.now(0), LimitKind::kRate).value, 1.0, 1e-9);
}

TEST(LimitUsage, UsesNothingOfALimitThatIsNotSet) {
  LimitUsage usage({{}}, kTick);
  usage.add({one(5.0), one(5.0), one(5.0), one(1e9)});
  for (const UsedLimit& each : usage.now(0)) EXPECT_EQ(each.ratio(), 0.0);
}

}  // namespace
}  // namespace trestle::live::limit_usage_test
