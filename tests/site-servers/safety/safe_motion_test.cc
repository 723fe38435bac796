#include "site-servers/safety/safe_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::safety::safe_motion_test {
namespace {

constexpr double kTick = 1.0 / 1024;
constexpr double kStiffness = 1e6;  // [N/m]
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ActuatorVector both(double value) {
  return ActuatorVector::Constant(2, value);
}

Measurement spring(const ActuatorVector& drive, double stiffness = kStiffness) {
  return {drive, stiffness * drive};
}

SafeAction home(double rate = 0.01, double acceleration = 0.1) {
  return {.kind = SafeAction::Kind::kRampHome,
          .rate = both(rate),
          .acceleration = both(acceleration)};
}

SafeAction unload(double rate = 0.01, double band = 100.0, double travel = 0.1) {
  return {.kind = SafeAction::Kind::kUnload,
          .rate = both(rate),
          .band = both(band),
          .travel = both(travel)};
}

const ActuatorVector kFrom{{0.02, -0.01}};

/// Follows it on springs to its end. @returns ticks
int finish(SafeMotion& motion, ActuatorVector drive = kFrom,
           double stiffness = kStiffness) {
  int ticks = 0;
  for (; !motion.finished() && ticks < 1'000'000; ++ticks)
    drive = motion.next(spring(drive, stiffness));
  return ticks;
}

TEST(SafeMotion, HoldIsThereAtOnce) {
  SafeMotion motion({}, RigLimits(2), kTick);
  EXPECT_FALSE(motion.moves());
  EXPECT_FALSE(motion.started());
  motion.start(kFrom, spring(kFrom));
  EXPECT_TRUE(motion.started());
  EXPECT_TRUE(motion.finished());
  EXPECT_TRUE(motion.held());
  EXPECT_EQ(motion.next(spring(kFrom)), kFrom);
}

TEST(SafeMotion, RampsHomeToZeroExactlyOnOneLineWithinRateAndAcceleration) {
  SafeMotion motion(home(), {{.rate = 1.0}, {.acceleration = 10.0}}, kTick);
  EXPECT_TRUE(motion.moves());
  motion.start(kFrom, spring(kFrom));
  EXPECT_FALSE(motion.finished());
  ActuatorVector last = kFrom;
  ActuatorVector before = kFrom;
  double rate = 0.0;
  double acceleration = 0.0;
  while (!motion.finished()) {
    const ActuatorVector drive = motion.next(spring(last));
    EXPECT_NEAR(drive[0], -2.0 * drive[1], 1e-17);
    rate = std::max(rate, std::abs(drive[0] - last[0]) / kTick);
    acceleration = std::max(acceleration,
                            std::abs(drive[0] - 2.0 * last[0] + before[0]) / kTick / kTick);
    before = last;
    last = drive;
  }
  EXPECT_EQ(last, both(0.0));
  EXPECT_FALSE(motion.held());
  EXPECT_NEAR(rate, 0.0075, 1e-4);
  EXPECT_LE(acceleration, 0.1);
  EXPECT_EQ(motion.next(spring(last)), both(0.0)) << "and stays";
}

TEST(SafeMotion, RampsHomeNoFasterThanTheLimitsAllow) {
  for (const RigLimits& limits :
       {RigLimits{{.rate = 0.002}, {}}, RigLimits{{.acceleration = 0.001}, {}}}) {
    SafeMotion slow(home(), limits, kTick);
    SafeMotion fast(home(), RigLimits(2), kTick);
    slow.start(kFrom, spring(kFrom));
    fast.start(kFrom, spring(kFrom));
    EXPECT_GT(finish(slow), 2 * finish(fast));
  }
}

TEST(SafeMotion, UnloadsEveryActuatorUntilItsForceIsInsideTheBand) {
  SafeMotion motion(unload(), RigLimits(2), kTick);
  motion.start(kFrom, spring(kFrom));
  ActuatorVector drive = kFrom;
  ActuatorVector last = kFrom;
  while (!motion.finished()) {
    drive = motion.next(spring(last));
    for (Eigen::Index i = 0; i < 2; ++i) {
      EXPECT_LE(std::abs(drive[i]), std::abs(last[i])) << "towards less force";
      EXPECT_LE(std::abs(drive[i] - last[i]), 0.01 * kTick * (1.0 + 1e-9));
    }
    last = drive;
  }
  EXPECT_FALSE(motion.held());
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_LE(std::abs(kStiffness * drive[i]), 100.0);
    // It stops at the first tick inside.
    EXPECT_GT(std::abs(kStiffness * drive[i]), 100.0 - kStiffness * 0.01 * kTick);
  }
}

TEST(SafeMotion, AForceOnTheEdgeOfItsBandIsInside) {
  SafeMotion motion(unload(0.01, 100.0), RigLimits(2), kTick);
  const Measurement edge{both(0.0), both(100.0)};
  motion.start(kFrom, edge);
  EXPECT_EQ(motion.next(edge), kFrom);
  EXPECT_TRUE(motion.finished());
  EXPECT_FALSE(motion.held());
}

TEST(SafeMotion, UnloadsAtThreeQuartersOfATighterRate) {
  SafeMotion motion(unload(), {{.rate = 0.004}, {}}, kTick);
  motion.start(kFrom, spring(kFrom));
  const ActuatorVector drive = motion.next(spring(kFrom));
  EXPECT_NEAR(kFrom[0] - drive[0], 0.003 * kTick, 1e-15);
  EXPECT_NEAR(drive[1] - kFrom[1], 0.01 * kTick, 1e-15);
}

TEST(SafeMotion, UnloadsWithinTheAccelerationAndComesToRestInsideTheBand) {
  const double most = 0.05;
  SafeMotion motion(unload(0.02), {{.acceleration = most}, {.acceleration = most}}, kTick);
  motion.start(kFrom, spring(kFrom));
  ActuatorVector before = kFrom;
  ActuatorVector last = kFrom;
  double largest = 0.0;
  while (!motion.finished()) {
    const ActuatorVector drive = motion.next(spring(last));
    for (Eigen::Index i = 0; i < 2; ++i)
      largest = std::max(largest, std::abs(drive[i] - 2.0 * last[i] + before[i]));
    before = last;
    last = drive;
  }
  EXPECT_FALSE(motion.held()) << "it swings through the band ever slower";
  EXPECT_LE((kStiffness * last).cwiseAbs().maxCoeff(), 100.0);
  EXPECT_NEAR(largest / (kTick * kTick), 0.75 * most, 1e-6);
}

TEST(SafeMotion, HalvesItsRateWhenTheForceHasChangedSign) {
  SafeMotion motion(unload(), RigLimits(2), kTick);
  const auto felt = [](double force) {
    return Measurement{both(0.0), ActuatorVector{{force, 1000.0}}};
  };
  motion.start(both(0.0), felt(1000.0));
  double last = 0.0;
  for (const auto& [force, change] :
       {std::pair{900.0, -0.01}, std::pair{-800.0, 0.005}, std::pair{-50.0, 0.0},
        std::pair{-500.0, 0.005}, std::pair{400.0, -0.0025}}) {
    const double drive = motion.next(felt(force))[0];
    EXPECT_NEAR(drive - last, change * kTick, 1e-15) << force;
    last = drive;
  }
}

TEST(SafeMotion, HoldsWhereTheForceGrowsForThreeTicks) {
  SafeMotion motion(unload(), RigLimits(2), kTick);
  const auto felt = [](double force) {
    return Measurement{both(0.0), ActuatorVector{{0.0, force}}};
  };
  motion.start(both(0.0), felt(-1000.0));
  ActuatorVector last = both(0.0);
  for (const double force : {-2000.0, -3000.0, -2999.0, -3500.0, -4000.0}) {
    last = motion.next(felt(force));
    EXPECT_FALSE(motion.finished()) << force << ": two ticks in a row, then less";
  }
  EXPECT_EQ(motion.next(felt(-4500.0)), last);
  EXPECT_TRUE(motion.held());
}

TEST(SafeMotion, HoldsWhereTheSpecimenPushesBackTheWrongWay) {
  SafeMotion motion(unload(), RigLimits(2), kTick);
  motion.start(kFrom, spring(kFrom, -kStiffness));
  const int ticks = finish(motion, kFrom, -kStiffness);
  EXPECT_TRUE(motion.held());
  // A band of 100 N at 1 MN/m is ten ticks of 10 mm/s, and the read before them.
  EXPECT_LE(ticks, 13);
}

TEST(SafeMotion, MindsNoGrowthWithinOneBand) {
  SafeMotion motion(unload(), RigLimits(2), kTick);
  const auto felt = [](double force) {
    return Measurement{both(0.0), both(force)};
  };
  motion.start(both(0.0), felt(1000.0));
  for (const double force : {1000.0, 1030.0, 1060.0, 1090.0, 1100.0}) {
    motion.next(felt(force));
    EXPECT_FALSE(motion.finished()) << force << " is what noise does";
  }
  motion.next(felt(1101.0));
  EXPECT_TRUE(motion.held());
}

/// How far it gets with these forces at both actuators, one a tick.
int ticks_until_held(SafeMotion& motion, const std::vector<double>& forces) {
  int ticks = 0;
  for (const double force : forces) {
    motion.next({both(0.0), both(force)});
    if (motion.finished()) return motion.held() ? ticks : -1;
    ++ticks;
  }
  return ticks;
}

TEST(SafeMotion, CountsTheTicksInWhichAForceGrows) {
  const auto held_after = [](double first, const std::vector<double>& forces) {
    SafeMotion motion(unload(), RigLimits(2), kTick);
    motion.start(both(0.0), {both(0.0), both(first)});
    return ticks_until_held(motion, forces);
  };
  EXPECT_EQ(held_after(1000.0, {2000.0, 3000.0, 4000.0}), 2) << "the first one counts";
  EXPECT_EQ(held_after(1000.0, {2000.0, 2000.0, 2000.0, 2000.0}), 4) << "equal is no more";
  EXPECT_EQ(held_after(-1000.0, {-999.0, -2000.0, -3000.0}), 3) << "two in a row";
  EXPECT_EQ(held_after(-1000.0, {-1030.0, -1060.0, -1090.0, -1100.0}), 4);
  EXPECT_EQ(held_after(1000.0, {500.0, 700.0, 800.0, 900.0}), 3) << "the least was 500";
}

TEST(SafeMotion, StartsAnewWithoutWhatItHasSeenBefore) {
  const RigLimits limits{{.acceleration = 5.0}, {.acceleration = 5.0}};
  const auto start = [](SafeMotion& motion, double force) {
    motion.start(both(0.0), {both(0.0), both(force)});
  };
  SafeMotion motion(unload(), limits, kTick);
  start(motion, 1000.0);
  EXPECT_EQ(ticks_until_held(motion, {900.0, 2000.0, 3000.0}), 3);
  start(motion, 5000.0);
  EXPECT_EQ(ticks_until_held(motion, {5200.0}), 1) << "growing for one tick";
  start(motion, 5000.0);
  EXPECT_EQ(ticks_until_held(motion, {4900.0, 5101.0, 5201.0}), 3) << "for two";
  start(motion, 1000.0);
  const double bend = 0.75 * 5.0 * kTick * kTick;
  EXPECT_NEAR(motion.next({both(0.0), both(900.0)})[0], -bend, 1e-18) << "from rest";
  SafeMotion short_way(unload(1.0, 100.0, 2.0 * kTick), RigLimits(2), kTick);
  for (int run = 0; run < 3; ++run) {
    start(short_way, 1000.0);
    EXPECT_EQ(ticks_until_held(short_way, {900.0, 800.0, 700.0}), 2)
        << "all of its travel, and no more";
  }
}

TEST(SafeMotion, IsNotThereWhileItTurnsRoundOutsideTheBand) {
  SafeMotion motion(unload(), {{.acceleration = 1.0}, {.acceleration = 1.0}}, kTick);
  const auto felt = [](double force) {
    return Measurement{both(0.0), ActuatorVector{{force, 0.0}}};
  };
  motion.start(both(0.0), felt(1000.0));
  const ActuatorVector first = motion.next(felt(900.0));
  EXPECT_EQ(motion.next(felt(-800.0)), first) << "at rest for a moment";
  EXPECT_FALSE(motion.finished());
}

TEST(SafeMotion, HoldsWhenItsTravelIsUsedUp) {
  SafeMotion motion(unload(0.01, 100.0, 0.005), RigLimits(2), kTick);
  motion.start(kFrom, spring(kFrom));
  ActuatorVector last = kFrom;
  while (!motion.finished()) last = motion.next(spring(last));
  EXPECT_TRUE(motion.held());
  EXPECT_LE(0.02 - last[0], 0.005 + 1e-15);
  EXPECT_GT(0.02 - last[0], 0.005 - 0.01 * kTick);
}

TEST(SafeMotion, CountsTheWayBackAsTravel) {
  SafeMotion motion(unload(0.01, 100.0, 2.0 * 0.01 * kTick), RigLimits(2), kTick);
  const auto felt = [](double force) {
    return Measurement{both(0.0), both(force)};
  };
  motion.start(both(0.0), felt(1000.0));
  for (const double force : {1000.0, -900.0, 800.0}) {
    motion.next(felt(force));
    EXPECT_FALSE(motion.finished()) << force;
  }
  for (const double force : {700.0, 600.0, 500.0}) motion.next(felt(force));
  EXPECT_TRUE(motion.held());
}

TEST(SafeMotion, HoldsForGoodWhereTheMeasurementIsNone) {
  for (const SafeAction& action : {home(), unload()})
    for (const Measurement& bad :
         {Measurement{both(kNan), both(0.0)}, Measurement{both(0.0), both(kNan)},
          Measurement{both(0.0), ActuatorVector::Zero(1)},
          Measurement{ActuatorVector(), both(0.0)}}) {
      SafeMotion motion(action, RigLimits(2), kTick);
      motion.start(kFrom, spring(kFrom));
      const ActuatorVector last = motion.next(spring(kFrom));
      EXPECT_EQ(motion.next(bad), last);
      EXPECT_TRUE(motion.held());
      EXPECT_EQ(motion.next(spring(last)), last);
      SafeMotion unstarted(action, RigLimits(2), kTick);
      unstarted.start(kFrom, bad);
      EXPECT_TRUE(unstarted.held());
      EXPECT_EQ(unstarted.next(spring(kFrom)), kFrom);
    }
}

TEST(SafeMotion, DoesNotStartFromADriveThatIsNone) {
  for (const ActuatorVector& bad :
       {both(kNan), ActuatorVector(), ActuatorVector::Zero(3).eval()}) {
    SafeMotion motion(home(), RigLimits(2), kTick);
    motion.start(bad, spring(kFrom));
    EXPECT_TRUE(motion.held());
    EXPECT_EQ(motion.next(spring(kFrom)), both(0.0));
  }
}

TEST(SafeMotion, HoldsWhereItIsToldAndBeginsAgainAfterACancel) {
  SafeMotion motion(unload(), RigLimits(2), kTick);
  motion.start(kFrom, spring(kFrom));
  motion.next(spring(kFrom));
  motion.hold(both(0.005));
  EXPECT_EQ(motion.next(spring(kFrom)), both(0.005));
  motion.cancel();
  EXPECT_FALSE(motion.started());
  EXPECT_FALSE(motion.finished());
  motion.start(kFrom, spring(kFrom));
  SafeMotion fresh(unload(), RigLimits(2), kTick);
  fresh.start(kFrom, spring(kFrom));
  EXPECT_EQ(finish(motion), finish(fresh));
}

TEST(SafeMotion, ForgetsAllOfTheMotionBefore) {
  const double travel = 0.021;
  SafeMotion motion(unload(0.01, 100.0, travel), {{.acceleration = 0.5}, {}}, kTick);
  SafeMotion fresh(unload(0.01, 100.0, travel), {{.acceleration = 0.5}, {}}, kTick);
  const auto felt = [](double force) {
    return Measurement{both(0.0), both(force)};
  };
  motion.start(kFrom, felt(500.0));
  for (const double force : {600.0, -700.0, 1.0, 2.0, 300.0}) motion.next(felt(force));
  motion.start(kFrom, spring(kFrom));
  fresh.start(kFrom, spring(kFrom));
  ActuatorVector drive = kFrom;
  while (!fresh.finished()) {
    const ActuatorVector next = fresh.next(spring(drive));
    ASSERT_EQ(motion.next(spring(drive)), next);
    drive = next;
  }
  EXPECT_TRUE(motion.finished());
}

TEST(SafeMotion, GoesOnFromASnapshotToTheBit) {
  for (const SafeAction& action : {home(), unload(), unload(0.01, 100.0, 0.005)})
    for (const int at : {1, 300}) {
      const RigLimits limits{{.acceleration = 0.05}, {}};
      SafeMotion motion(action, limits, kTick);
      motion.start(kFrom, spring(kFrom));
      ActuatorVector drive = kFrom;
      for (int n = 0; n < at; ++n) drive = motion.next(spring(drive));
      SnapshotWriter writer;
      motion.save(writer);
      SafeMotion twin(action, limits, kTick);
      SnapshotReader reader(writer.values());
      twin.restore(reader);
      EXPECT_TRUE(reader.at_end());
      while (!motion.finished()) {
        const Measurement sensed = spring(drive);
        drive = motion.next(sensed);
        ASSERT_EQ(twin.next(sensed), drive);
      }
      EXPECT_TRUE(twin.finished());
      EXPECT_EQ(twin.held(), motion.held());
    }
}

TEST(SafeMotion, GoesOnFromASnapshotInTheMiddleOfAGrowth) {
  const auto felt = [](double force) {
    return Measurement{both(0.0), both(force)};
  };
  SafeMotion motion(unload(), RigLimits(2), kTick);
  motion.start(both(0.0), felt(-1000.0));
  for (const double force : {900.0, 1500.0, 2000.0}) motion.next(felt(force));
  SnapshotWriter writer;
  motion.save(writer);
  SafeMotion twin(unload(), RigLimits(2), kTick);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  twin.next(felt(2500.0));
  EXPECT_TRUE(twin.held());
}

TEST(SafeAction, SaysWhichValueCannotWork) {
  const auto complaint = [](const SafeAction& action) -> std::string {
    try {
      const SafeMotion motion(action, RigLimits(2), kTick);
    } catch (const SettingError& error) {
      return error.problems().front().path;
    }
    return "none";
  };
  EXPECT_EQ(complaint({}), "none");
  EXPECT_EQ(complaint(home()), "none");
  EXPECT_EQ(complaint(unload()), "none");
  for (const double bad : {0.0, -1.0, kNan, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(complaint(home(bad)), "safe_action.ramp_home.rate");
    EXPECT_EQ(complaint(home(1.0, bad)), "safe_action.ramp_home.acceleration");
    EXPECT_EQ(complaint(unload(bad)), "safe_action.unload.rate");
    EXPECT_EQ(complaint(unload(1.0, bad)), "safe_action.unload.band");
    EXPECT_EQ(complaint(unload(1.0, 1.0, bad)), "safe_action.unload.travel");
    for (const Eigen::Index which : {0, 1}) {
      SafeAction spoiled = home();
      spoiled.rate[which] = bad;
      EXPECT_EQ(complaint(spoiled), "safe_action.ramp_home.rate");
    }
  }
  try {
    check({.kind = SafeAction::Kind::kRampHome, .rate = ActuatorVector{{1.0, 0.0}}}, 2,
          "a");
  } catch (const SettingError& error) {
    EXPECT_STREQ(error.what(),
                 "a.ramp_home.rate: is 0.000000 for actuator 2; must be above zero, and a "
                 "number");
  }
  SafeAction short_one = unload();
  short_one.band.resize(1);
  EXPECT_EQ(complaint(short_one), "safe_action.unload.band");
}

}  // namespace
}  // namespace trestle::safety::safe_motion_test
