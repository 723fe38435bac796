#include "site-servers/safety/safety_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/setting_error.h"

namespace trestle::safety::safety_gate_test {
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

Measurement sensed(const ActuatorVector& displacement, double first_force = 0.0,
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

TEST(SafetyGate, BeginsNowhereOutsideTheLimits) {
  SafetyGate gate = gate_of({.displacement = 0.06});
  gate.reset(at(0.06, -0.06));
  EXPECT_TRUE(gate.is_within_limits());
  EXPECT_FALSE(gate.fault());
  gate.reset(at(0.06, -0.0601));
  EXPECT_FALSE(gate.is_within_limits());
  expect_fault(gate, FaultKind::kDisplacementLimit, 1, 0.06);
  gate.reset(at(5e303, -0.07));
  EXPECT_FALSE(gate.is_within_limits());
  expect_fault(gate, FaultKind::kDisplacementLimit, 0, 0.06);
  gate.reset(at(0.0, 0.0));
  EXPECT_TRUE(gate.is_within_limits());
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
  const Measurement far_off = sensed(at(0, 0.0021));
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), far_off);
  gate.pass(at(0, 0), sensed(at(0, 0)));  // back in time: counts again
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), far_off);
  EXPECT_FALSE(gate.fault());
  gate.pass(at(0, 0), far_off);
  expect_fault(gate, FaultKind::kTrackingError, 1, 0.002);
  EXPECT_EQ(gate.fault().value, 0.0021);
}

TEST(SafetyGate, AnErrorAtItsLimitUsesUpNoDwell) {
  SafetyGate gate = gate_of({.tracking_error = 0.002, .tracking_dwell = 3 * kTick});
  for (int n = 0; n < 5; ++n) gate.pass(at(0, 0), sensed(at(0.002, 0)));
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), sensed(at(0.003, 0)));
  EXPECT_FALSE(gate.fault());
  gate.reset(at(0, 0));
  for (int n = 0; n < 3; ++n) gate.pass(at(0, 0), sensed(at(0.003, 0)));
  EXPECT_FALSE(gate.fault()) << "a new run has its whole dwell";
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
  const Measurement far_off = sensed(at(0.003, 0));
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
    EXPECT_THROW(gate_of({.acceleration = bad}), SettingError);
    EXPECT_THROW(gate_of({.tracking_error = bad}), SettingError);
    EXPECT_THROW(SafetyGate({ActuatorLimits{}}, bad), SettingError);
  }
  const double shortest = std::numeric_limits<double>::denorm_min();
  EXPECT_THROW(SafetyGate({ActuatorLimits{}}, shortest), SettingError);
  EXPECT_THROW(gate_of({.tracking_dwell = -kTick}), SettingError);
  EXPECT_THROW(gate_of({.tracking_dwell = kNan}), SettingError);
}

TEST(SafetyGate, ComparesTheAccelerationWithTheTwoDrivesBefore) {
  SafetyGate gate = gate_of({.acceleration = 2.0});
  const double bend = 2.0 * kTick * kTick;
  EXPECT_EQ(gate.pass(at(0, bend), sensed(at(0, 0))), at(0, bend)) << "from rest";
  EXPECT_EQ(gate.pass(at(0, 3 * bend), sensed(at(0, 0))), at(0, 3 * bend));
  EXPECT_EQ(gate.pass(at(0, 5 * bend), sensed(at(0, 0))), at(0, 5 * bend)) << "unbent";
  EXPECT_EQ(gate.pass(at(0, 5 * bend), sensed(at(0, 0))), at(0, 5 * bend)) << "held back";
  expect_fault(gate, FaultKind::kAccelerationLimit, 1, 2.0);
  EXPECT_EQ(gate.fault().value, 4.0);
}

TEST(SafetyGate, StartsFromRestAndStopsAtOnceWhateverTheAcceleration) {
  SafetyGate gate = gate_of({.acceleration = 2.0});
  const double bend = 2.0 * kTick * kTick;
  gate.pass(at(bend, 0), sensed(at(0, 0)));
  gate.pass(at(3 * bend, 0), sensed(at(0, 0)));
  gate.pass(at(1.0, 0), sensed(at(0, 0)));
  expect_fault(gate, FaultKind::kAccelerationLimit, 0, 2.0);
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(gate.pass(at(0, 0), sensed(at(0, 0))), at(3 * bend, 0));
  gate.reset(gate.last_drive());
  EXPECT_EQ(gate.pass(at(4 * bend, 0), sensed(at(0, 0))), at(4 * bend, 0));
  EXPECT_FALSE(gate.fault());
}

TEST(SafetyGate, IsToldOfARest) {
  SafetyGate gate = gate_of({.acceleration = 2.0});
  const double bend = 2.0 * kTick * kTick;
  gate.pass(at(bend, 0), sensed(at(0, 0)));
  gate.rest();
  gate.pass(at(bend, 0), sensed(at(0, 0)));
  EXPECT_FALSE(gate.fault()) << "no rate to lose";
}

TEST(SafetyGate, RemembersTheRateInASnapshot) {
  SafetyGate gate = gate_of({.acceleration = 2.0});
  const double bend = 2.0 * kTick * kTick;
  gate.pass(at(bend, 0), sensed(at(0, 0)));
  SnapshotWriter writer;
  gate.save(writer);
  SafetyGate twin = gate_of({.acceleration = 2.0});
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_EQ(twin.last_drive(), at(bend, 0));
  twin.pass(at(3 * bend, 0), sensed(at(0, 0)));
  EXPECT_FALSE(twin.fault());
}

TEST(SafetyGate, TakesAMissingValueForNoNumber) {
  const ActuatorVector one = ActuatorVector::Zero(1);
  const ActuatorVector three = ActuatorVector::Zero(3);
  for (const ActuatorVector& wrong : {one, three, ActuatorVector()})
    for (const auto& [drive, state] : {std::pair{wrong, sensed(at(0, 0))},
                                       std::pair{at(0, 0), Measurement{wrong, at(0, 0)}},
                                       std::pair{at(0, 0), Measurement{at(0, 0), wrong}}}) {
      SafetyGate gate = gate_of({});
      EXPECT_EQ(gate.pass(drive, state), at(0, 0));
      EXPECT_EQ(gate.fault().kind, FaultKind::kNotFinite);
      EXPECT_EQ(gate.fault().index, -1);
      EXPECT_TRUE(std::isnan(gate.fault().value));
    }
}

TEST(SafetyGate, DoesNotStartWhereNothingStands) {
  for (const double bad : {kNan, kInfinity}) {
    SafetyGate gate = gate_of({});
    gate.reset(at(0.01, 0.02));
    gate.reset(at(0, bad));
    EXPECT_EQ(gate.fault().kind, FaultKind::kNotFinite);
    EXPECT_EQ(gate.fault().index, 1);
    EXPECT_EQ(gate.pass(at(0.01, 0.02), sensed(at(0, 0))), at(0.01, 0.02));
  }
  SafetyGate gate = gate_of({});
  gate.reset(ActuatorVector::Zero(3));
  EXPECT_EQ(gate.fault().kind, FaultKind::kNotFinite);
}

TEST(SafetyGate, TakesAReactionThatIsNoNumberForAFault) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    SafetyGate gate = gate_of({});
    Measurement state = sensed(at(0, 0));
    state.force_only = InterfaceVector::Zero(2);
    EXPECT_TRUE(gate.watch(state));
    for (const Eigen::Index which : {0, 1}) {
      gate.reset(at(0, 0));
      state.force_only.setZero();
      state.force_only[which] = bad;
      EXPECT_FALSE(gate.watch(state));
      EXPECT_EQ(gate.fault().kind, FaultKind::kNotFinite);
      EXPECT_EQ(gate.fault().index, -1);
    }
  }
}

TEST(SafetyGate, SaysThatAMeasurementIsNoneBeforeItJudgesIt) {
  SafetyGate gate = gate_of(limits());
  EXPECT_FALSE(gate.watch(sensed(at(0, kNan), 251e3)));
  EXPECT_EQ(gate.fault().kind, FaultKind::kNotFinite);
}

TEST(SafetyGate, SaysThatTheRigIsElsewhereBeforeItJudgesTheDrive) {
  SafetyGate gate = gate_of({.displacement = 0.06, .tracking_error = 0.002});
  gate.pass(at(0.07, 0), sensed(at(0, 0.003)));
  expect_fault(gate, FaultKind::kTrackingError, 1, 0.002);
}

TEST(SafetyGate, ADwellLongerThanAllTimeNeverEnds) {
  SafetyGate gate = gate_of({.tracking_error = 0.002, .tracking_dwell = kInfinity});
  for (int n = 0; n < 1000; ++n) gate.pass(at(0, 0), sensed(at(1.0, 0)));
  EXPECT_FALSE(gate.fault());
}

TEST(SafetyGate, ADwellOfWholeTicksLosesNoneToRounding) {
  const double tick = 1e-3;  // 3·tick/tick is 3, 0.003/tick is a bit less or more
  for (int whole = 1; whole < 200; ++whole) {
    const double dwell = whole / 1000.0;
    SafetyGate gate({{.tracking_error = 0.002, .tracking_dwell = dwell}}, tick);
    const ActuatorVector zero = ActuatorVector::Zero(1);
    const Measurement off{ActuatorVector::Constant(1, 1.0), zero};
    for (int n = 0; n < whole; ++n) gate.pass(zero, off);
    EXPECT_FALSE(gate.fault()) << whole;
    gate.pass(zero, off);
    EXPECT_TRUE(gate.fault()) << whole;
  }
}

TEST(SafetyGate, NamesTheLimitThatIsNone) {
  const auto complaint = [](const RigLimits& spoiled) -> std::string {
    try {
      const SafetyGate gate(spoiled, kTick);
    } catch (const SettingError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint({{}, {.acceleration = 0.0}}),
            "limits.actuators[1].acceleration: acceleration is 0.000000; a limit must be "
            "above zero");
  EXPECT_EQ(complaint(RigLimits(kMaxActuators)), "none");
  EXPECT_EQ(complaint(RigLimits(kMaxActuators + 1)),
            "limits.actuators: 17 actuators; a site may have at most 16");
  EXPECT_EQ(complaint({{.tracking_error = 1.0, .tracking_dwell = 0.0}}), "none");
}

}  // namespace
}  // namespace trestle::safety::safety_gate_test
