#include "site-servers/trajectory/interpolated_trajectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trestle::step_interpolation_test {
namespace {

constexpr double kStep = 0.01;
constexpr int kTicks = 8;
constexpr double kTick = kStep / kTicks;

InterfaceMotion target(double displacement, double velocity, double acceleration = 0.0) {
  return {InterfaceVector::Constant(1, displacement),
          InterfaceVector::Constant(1, velocity),
          InterfaceVector::Constant(1, acceleration)};
}

/// 20 mm at 2 Hz: peak rate 0.25 m/s.
InterfaceMotion swing(double t) {
  const double w = 4.0 * M_PI;
  return target(0.02 * std::sin(w * t), 0.02 * w * std::cos(w * t),
                -0.02 * w * w * std::sin(w * t));
}

void run_step(trajectory::InterpolatedTrajectory& motion, const InterfaceMotion& aim) {
  motion.aim(aim, 0);
  while (!motion.arrived()) motion.next();
}

trajectory::InterpolatedTrajectory moving() {
  trajectory::InterpolatedTrajectory motion(1, kStep, kTicks);
  motion.start(InterfaceVector::Zero(1));
  run_step(motion, swing(0.0));
  run_step(motion, swing(kStep));
  return motion;
}

TEST(InterpolatedTrajectory, IsThePredictorCorrectorTickByTick) {
  trajectory::InterpolatedTrajectory motion(1, kStep, kTicks);
  trajectory::StepInterpolator path(1, kStep, kTicks);
  motion.start(InterfaceVector::Constant(1, 0.003));
  path.start(InterfaceVector::Constant(1, 0.003));
  for (int k = 0; k < 20; ++k) {
    motion.aim(swing(k * kStep), 0);
    path.aim(swing(k * kStep));
    for (int tick = 1; tick <= kTicks; ++tick) {
      EXPECT_EQ(motion.remaining_ticks(), kTicks - tick + 1);
      const InterfaceMotion found = motion.next();
      EXPECT_EQ(found.displacement, path.at(tick).displacement);
      EXPECT_EQ(found.velocity, path.at(tick).velocity);
      EXPECT_EQ(found.acceleration, path.at(tick).acceleration);
      EXPECT_EQ(motion.arrived(), tick == kTicks);
      EXPECT_EQ(motion.measuring(), tick == kTicks);
    }
  }
}

TEST(InterpolatedTrajectory, StaysAtItsLastTargetAtRest) {
  trajectory::InterpolatedTrajectory motion = moving();
  const InterfaceMotion rest = motion.next();
  EXPECT_EQ(rest.displacement, swing(kStep).displacement);
  EXPECT_EQ(rest.velocity[0], 0.0);
  EXPECT_EQ(rest.acceleration[0], 0.0);
  EXPECT_EQ(motion.phase(), trajectory::TrajectoryPhase::kAtTarget);
}

TEST(InterpolatedTrajectory, CoastsOnAndForgetsItsVelocityWithoutAJump) {
  constexpr double kCoast = 0.02;  // [s]
  trajectory::InterpolatedTrajectory motion = moving();
  const double x = swing(kStep).displacement[0];
  const double v = swing(kStep).velocity[0];
  double last = x;
  for (int missed = 1; missed <= 100; ++missed) {
    motion.decelerate_to_rest();
    double first = 0.0;
    for (int tick = 1; tick <= kTicks; ++tick) {
      const InterfaceMotion found = motion.next();
      if (tick == 1) first = std::abs((found.displacement[0] - last) / kTick);
      last = found.displacement[0];
    }
    const double kept = std::exp(-missed * kStep / kCoast);
    EXPECT_NEAR(last, x + v * kCoast * (1.0 - kept), 1e-13);
    // The cubic between two points of an exponential stays within its velocities.
    EXPECT_LE(first,
              std::abs(v) * std::exp(-(missed - 1) * kStep / kCoast) * 1.001 + 1e-12);
    EXPECT_TRUE(motion.arrived());
  }
}

TEST(InterpolatedTrajectory, KeepsItsPlaceInTimeWhereTicksNeverCame) {
  trajectory::InterpolatedTrajectory motion = moving();
  trajectory::InterpolatedTrajectory whole = moving();
  motion.aim(swing(2 * kStep), 0);
  whole.aim(swing(2 * kStep), 0);
  motion.next();
  whole.next();
  for (int n = 0; n < 3; ++n) {
    motion.skip();
    whole.next();
  }
  EXPECT_EQ(motion.next().displacement, whole.next().displacement);
  EXPECT_EQ(motion.remaining_ticks(), whole.remaining_ticks());
  // The last one, too: the step is over, and another may begin.
  while (!motion.arrived()) motion.skip();
  motion.aim(swing(3 * kStep), 0);
  EXPECT_EQ(motion.remaining_ticks(), kTicks);
}

TEST(InterpolatedTrajectory, MakesUpForWhatItMissedWithinItsLimitOfRate) {
  constexpr double kRate = 0.4;
  InterfaceLayout layout{{.name = "floor.x", .rate_limit = kRate}};
  trajectory::InterpolatedTrajectory motion(layout, kStep, kTicks);
  motion.start(InterfaceVector::Zero(1));
  run_step(motion, swing(0.0));
  run_step(motion, swing(kStep));
  double last = motion.next().displacement[0];
  double fastest = 0.0;
  int behind = 0;
  for (int k = 2; k < 12; ++k) {
    if (k == 3) {
      motion.decelerate_to_rest();
    } else {
      motion.aim(swing(k * kStep), 0);
    }
    for (int tick = 1; tick <= kTicks; ++tick) {
      if (k == 4 && tick > 2) {  // ticks that never came
        motion.skip();
        continue;
      }
      const double found = motion.next().displacement[0];
      fastest = std::max(fastest, std::abs(found - last) / kTick);
      last = found;
    }
    if (k != 3 && last != swing(k * kStep).displacement[0]) ++behind;
  }
  // One tick's way plus the rounding of a difference over a tick.
  EXPECT_LE(fastest, kRate * (1.0 + 1e-9));
  EXPECT_GE(behind, 1);
  EXPECT_EQ(last, swing(11 * kStep).displacement[0]) << "it has caught up";
}

TEST(InterpolatedTrajectory, IsNotBoundWhereNothingWasMissed) {
  InterfaceLayout layout{{.name = "floor.x", .rate_limit = 1e-3}};
  trajectory::InterpolatedTrajectory motion(layout, kStep, kTicks);
  motion.start(InterfaceVector::Zero(1));
  run_step(motion, swing(0.0));
  run_step(motion, swing(kStep));
  EXPECT_EQ(motion.next().displacement, swing(kStep).displacement)
      << "targets beyond the limit are the gate's business";
}

TEST(InterpolatedTrajectory, HoldsWhereItsLastTickWas) {
  trajectory::InterpolatedTrajectory motion = moving();
  motion.aim(swing(2 * kStep), 0);
  for (int n = 0; n < 3; ++n) motion.next();
  const double there = motion.next().displacement[0];
  motion.hold();
  EXPECT_TRUE(motion.arrived());
  for (int n = 0; n < 3; ++n) {
    const InterfaceMotion rest = motion.next();
    EXPECT_EQ(rest.displacement[0], there);
    EXPECT_EQ(rest.velocity[0], 0.0);
  }
}

TEST(InterpolatedTrajectory, GoesOnFromASnapshotToTheBit) {
  trajectory::InterpolatedTrajectory motion = moving();
  motion.decelerate_to_rest();
  for (int n = 0; n < 40; ++n) {
    SnapshotWriter writer;
    motion.save(writer);
    trajectory::InterpolatedTrajectory twin(1, kStep, kTicks);
    SnapshotReader reader(writer.values());
    twin.restore(reader);
    EXPECT_TRUE(reader.at_end());
    if (n == 10) {
      motion.skip();
      twin.skip();
    }
    if (motion.arrived()) {
      motion.aim(swing(0.001 * n), 0);
      twin.aim(swing(0.001 * n), 0);
    }
    const InterfaceMotion a = motion.next();
    const InterfaceMotion b = twin.next();
    EXPECT_EQ(a.displacement, b.displacement);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.acceleration, b.acceleration);
  }
}

}  // namespace
}  // namespace trestle::step_interpolation_test
