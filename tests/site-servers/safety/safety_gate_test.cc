#include "site-servers/safety/safety_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

constexpr double kTick = 1.0 / 1024;  // a power of two: rates are exact
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ActuatorLimits limits() {
  return {.displacement = 0.06,
          .rate = 0.4,
          .force = 250e3,
          .tracking_error = 0.002,
          .tracking_dwell = 3 * kTick};
}

ActuatorVector at(double first, double second) {
  ActuatorVector vector(2);
  vector << first, second;
  return vector;
}

Sensed sensed(const ActuatorVector& displacement, double first_force = 0.0,
              double second_force = 0.0) {
  return {displacement, at(first_force, second_force)};
}

SafetyGate gate_of(const ActuatorLimits& each) {
  return {{each, each}, kTick};
}

void expect_fault(const SafetyGate& gate, FaultKind kind, int index, double limit) {
  EXPECT_EQ(gate.fault().kind, kind);
  EXPECT_EQ(gate.fault().index, index);
  EXPECT_EQ(gate.fault().limit, limit);
}

TEST(SafetyGate, PassesEveryBitOfAnAllowedDrive) {
  SafetyGate gate = gate_of(limits());
  const ActuatorVector drive = at(0.1e-3 / 3.0, -0.0);
  const ActuatorVector passed = gate.pass(drive, sensed(at(0, 0)));
  EXPECT_EQ(passed[0], drive[0]);
  EXPECT_TRUE(std::signbit(passed[1]));
  EXPECT_FALSE(gate.fault());
}

TEST(SafetyGate, HoldsTheLastGoodDriveOnDisplacement) {
  SafetyGate gate = gate_of({.displacement = 0.06});
  EXPECT_EQ(gate.pass(at(0.06, -0.06), sensed(at(0, 0))), at(0.06, -0.06));
  EXPECT_EQ(gate.pass(at(0.06, -0.061), sensed(at(0, 0))), at(0.06, -0.06));
  expect_fault(gate, FaultKind::kDisplacementLimit, 1, 0.06);
  EXPECT_EQ(gate.fault().value, 0.061);
}

TEST(SafetyGate, ComparesTheRateWithThePreviousDrive) {
  SafetyGate gate = gate_of({.rate = 0.5});
  const double most = 0.5 * kTick;
  EXPECT_EQ(gate.pass(at(most, 0), sensed(at(0, 0))), at(most, 0));
  EXPECT_EQ(gate.pass(at(0, 0), sensed(at(0, 0))), at(0, 0));
  EXPECT_EQ(gate.pass(at(-2 * most, 0), sensed(at(0, 0))), at(0, 0));
  expect_fault(gate, FaultKind::kRateLimit, 0, 0.5);
  EXPECT_EQ(gate.fault().value, 1.0);
}

TEST(SafetyGate, StartsTheRateWhereTheRigStands) {
  SafetyGate gate = gate_of({.rate = 0.5});
  gate.reset(at(0.03, 0));
  EXPECT_EQ(gate.pass(at(0, 0), sensed(at(0.03, 0))), at(0.03, 0));
  expect_fault(gate, FaultKind::kRateLimit, 0, 0.5);
}

TEST(SafetyGate, TripsOnMeasuredForceOfEitherSign) {
  for (const double force : {-251e3, 251e3}) {
    SafetyGate gate = gate_of(limits());
    EXPECT_TRUE(gate.watch(sensed(at(0, 0), 0, 250e3)));
    EXPECT_FALSE(gate.watch(sensed(at(0, 0), 0, force)));
    expect_fault(gate, FaultKind::kForceLimit, 1, 250e3);
    EXPECT_EQ(gate.fault().value, 251e3);
  }
  SafetyGate gate = gate_of(limits());
  EXPECT_EQ(gate.pass(at(1e-6, 0), sensed(at(0, 0), 251e3)), at(0, 0));
  expect_fault(gate, FaultKind::kForceLimit, 0, 250e3);
}

TEST(SafetyGate, ToleratesTrackingErrorForItsDwellOnly) {
  SafetyGate gate = gate_of(limits());  // three ticks
  const Sensed far_off = sensed(at(0, 0.0021));
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), far_off);
  gate.pass(at(0, 0), sensed(at(0, 0)));  // back in time: counts anew
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), far_off);
  EXPECT_FALSE(gate.fault());
  gate.pass(at(0, 0), far_off);
  expect_fault(gate, FaultKind::kTrackingError, 1, 0.002);
  EXPECT_EQ(gate.fault().value, 0.0021);
}

TEST(SafetyGate, WithoutDwellTripsAtOnce) {
  SafetyGate gate = gate_of({.tracking_error = 0.002});
  gate.pass(at(0, 0), sensed(at(0.003, 0)));
  expect_fault(gate, FaultKind::kTrackingError, 0, 0.002);
}

TEST(SafetyGate, HoldsMeasurementAgainstTheDriveThatCausedIt) {
  SafetyGate gate = gate_of({.tracking_error = 0.002});
  gate.pass(at(0.01, 0), sensed(at(0, 0)));  // asks for it
  EXPECT_FALSE(gate.fault());
  gate.pass(at(0.02, 0), sensed(at(0.01, 0)));  // got it
  EXPECT_FALSE(gate.fault());
}

TEST(SafetyGate, NeverPassesWhatIsNotFiniteEvenWithoutLimits) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (const auto& [drive, state] :
         {std::pair{at(0, bad), sensed(at(0, 0))}, std::pair{at(0, 0), sensed(at(0, bad))},
          std::pair{at(0, 0), sensed(at(0, 0), 0, bad)}}) {
      SafetyGate gate = gate_of({});
      EXPECT_EQ(gate.pass(drive, state), at(0, 0));
      EXPECT_EQ(gate.fault().kind, FaultKind::kNotFinite);
      EXPECT_EQ(gate.fault().index, 1);
    }
  }
}

TEST(SafetyGate, LatchesTheFirstFaultUntilReset) {
  SafetyGate gate = gate_of(limits());
  gate.pass(at(1.0, 0), sensed(at(0, 0)));
  gate.pass(at(0, kNan), sensed(at(0, 0), 1e9));
  expect_fault(gate, FaultKind::kDisplacementLimit, 0, 0.06);
  EXPECT_EQ(gate.pass(at(1e-6, 0), sensed(at(0, 0))), at(0, 0));
  EXPECT_FALSE(gate.watch(sensed(at(0, 0))));
  gate.reset(at(0, 0));
  EXPECT_EQ(gate.pass(at(1e-6, 0), sensed(at(0, 0))), at(1e-6, 0));
  EXPECT_FALSE(gate.fault());
}

TEST(SafetyGate, GoesOnFromASnapshotInTheMiddleOfADwell) {
  SafetyGate gate = gate_of(limits());
  const Sensed far_off = sensed(at(0.003, 0));
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), far_off);
  SnapshotWriter writer;
  gate.save(writer);
  SafetyGate twin = gate_of(limits());
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  twin.pass(at(0, 0), far_off);
  expect_fault(twin, FaultKind::kTrackingError, 0, 0.002);
}

TEST(SafetyGate, RefusesALimitThatIsNoLimit) {
  for (const double bad : {0.0, -1.0, kNan}) {
    EXPECT_THROW(gate_of({.displacement = bad}), SettingError);
    EXPECT_THROW(gate_of({.rate = bad}), SettingError);
    EXPECT_THROW(gate_of({.force = bad}), SettingError);
    EXPECT_THROW(gate_of({.tracking_error = bad}), SettingError);
    EXPECT_THROW(SafetyGate({ActuatorLimits{}}, bad), SettingError);
  }
  EXPECT_THROW(gate_of({.tracking_dwell = -kTick}), SettingError);
  EXPECT_THROW(gate_of({.tracking_dwell = kNan}), SettingError);
}

TEST(SafetyGate, LetsNoDriveOutOfTheEnvelopeWhateverComes) {
  std::mt19937_64 random(7);  // NOLINT: the same stream every time
  std::normal_distribution<double> step(0.0, 0.15 * kTick);
  std::normal_distribution<double> noise(0.0, 0.4e-3);
  std::uniform_int_distribution<int> dice(0, 9'999);
  const double garbage[] = {kNan, kInfinity, -kInfinity, 1e300, -1e300, 0.07, -0.07, 0.02};
  const ActuatorLimits most = limits();
  int trips = 0;
  int passes = 0;
  SafetyGate gate = gate_of(most);
  ActuatorVector last = at(0, 0);
  ActuatorVector wish = at(0, 0);
  for (int n = 0; n < 100'000; ++n) {
    wish += at(step(random), step(random));
    ActuatorVector drive = wish;
    Sensed state = sensed(last + at(noise(random), noise(random)), noise(random) * 1e7);
    if (dice(random) < 20) drive[dice(random) % 2] = garbage[dice(random) % 8];
    if (dice(random) < 5) state.displacement[dice(random) % 2] = garbage[dice(random) % 8];
    if (dice(random) < 5) state.force[dice(random) % 2] = garbage[dice(random) % 8];
    const ActuatorVector passed = gate.pass(drive, state);
    for (Eigen::Index i = 0; i < 2; ++i) {
      ASSERT_LE(std::abs(passed[i]), most.displacement);
      ASSERT_LE(std::abs(passed[i] - last[i]), most.rate * kTick);
    }
    if (gate.fault()) {
      ASSERT_EQ(passed, last);
      ++trips;
      wish = last = at(0, 0);
      gate.reset(last);
    } else {
      ASSERT_EQ(passed, drive);
      ++passes;
      last = passed;
    }
  }
  EXPECT_GT(trips, 100);
  EXPECT_GT(passes, 90'000);
}

}  // namespace
}  // namespace trestle
