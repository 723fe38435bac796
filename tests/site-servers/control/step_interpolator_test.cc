#include "site-servers/trajectory/step_interpolator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trestle::predictor_corrector_test {
namespace {

constexpr double kStep = 0.01;

InterfaceMotion target(double displacement, double velocity, double acceleration) {
  return {InterfaceVector::Constant(1, displacement),
          InterfaceVector::Constant(1, velocity),
          InterfaceVector::Constant(1, acceleration)};
}

InterfaceMotion cubic_at(double t) {
  return target(0.01 + 0.2 * t - 3.0 * t * t + 40.0 * t * t * t,
                0.2 - 6.0 * t + 120.0 * t * t, -6.0 + 240.0 * t);
}

TEST(StepInterpolator, IsTheIdentityWithOneTickPerStep) {
  trajectory::StepInterpolator predictor(1, kStep, 1);
  predictor.start(InterfaceVector::Constant(1, 0.3));
  for (int k = 0; k < 10; ++k) {
    const InterfaceMotion aim = target(std::sin(k), std::cos(3.0 * k), -0.1 * k);
    predictor.aim(aim);
    const InterfaceMotion at = predictor.at(1);
    EXPECT_EQ(at.displacement, aim.displacement);
    EXPECT_EQ(at.velocity, aim.velocity);
    EXPECT_EQ(at.acceleration, aim.acceleration);
  }
}

TEST(StepInterpolator, EndsEveryStepAtTheTargetToTheBit) {
  trajectory::StepInterpolator predictor(1, kStep, 7);
  predictor.start(InterfaceVector::Zero(1));
  for (int k = 0; k < 10; ++k) {
    const InterfaceMotion aim = target(std::sin(k), std::cos(3.0 * k), -0.1 * k);
    predictor.aim(aim);
    EXPECT_EQ(predictor.at(7).displacement, aim.displacement);
    EXPECT_EQ(predictor.at(7).velocity, aim.velocity);
    EXPECT_EQ(predictor.at(7).acceleration, aim.acceleration);
  }
}

TEST(StepInterpolator, RepeatsACubicExactly) {
  trajectory::StepInterpolator predictor(1, kStep, 8);
  predictor.aim(cubic_at(0.0));
  predictor.aim(cubic_at(kStep));
  for (int tick = 1; tick <= 8; ++tick) {
    const InterfaceMotion expected = cubic_at(kStep * tick / 8);
    const InterfaceMotion at = predictor.at(tick);
    // Rounding of 0.01 m, and of the divisions of its differences by Δt and Δt².
    EXPECT_NEAR(at.displacement[0], expected.displacement[0], 1e-16);
    EXPECT_NEAR(at.velocity[0], expected.velocity[0], 1e-13);
    EXPECT_NEAR(at.acceleration[0], expected.acceleration[0], 1e-10);
  }
}

TEST(StepInterpolator, JumpsNeitherInDisplacementNorInVelocity) {
  constexpr int kTicks = 100;
  trajectory::StepInterpolator predictor(1, kStep, kTicks);
  predictor.start(InterfaceVector::Zero(1));
  const auto motion = [](double t) {
    return target(0.01 * std::sin(20 * t), 0.2 * std::cos(20 * t), -4.0 * std::sin(20 * t));
  };
  double displacement = 0.0;
  double velocity = 0.2;
  predictor.aim(motion(0.0));
  for (int k = 1; k < 20; ++k) {
    predictor.aim(motion(k * kStep));
    for (int tick = 1; tick <= kTicks; ++tick) {
      const InterfaceMotion at = predictor.at(tick);
      // At most the peak velocity and the peak acceleration, a tenth to spare, for one
      // tick.
      EXPECT_LT(std::abs(at.displacement[0] - displacement), 1.1 * 0.2 * kStep / kTicks);
      EXPECT_LT(std::abs(at.velocity[0] - velocity), 1.1 * 4.0 * kStep / kTicks);
      displacement = at.displacement[0];
      velocity = at.velocity[0];
    }
  }
}

TEST(StepInterpolator, DoesNotTakeTheNoiseOfTheOpeningReadForMotion) {
  trajectory::StepInterpolator predictor(1, kStep, 4);
  predictor.start(InterfaceVector::Constant(1, 2e-6));
  predictor.aim(target(0.0, 0.01, 0.3));
  for (int tick = 1; tick <= 4; ++tick) {
    EXPECT_EQ(predictor.at(tick).velocity[0], 0.01);
    EXPECT_EQ(predictor.at(tick).acceleration[0], 0.3);
    EXPECT_NEAR(predictor.at(tick).displacement[0], 2e-6 * (1.0 - tick / 4.0), 1e-20);
  }
}

TEST(StepInterpolator, StandsStillBetweenEqualTargetsToTheBit) {
  trajectory::StepInterpolator predictor(1, kStep, 3);
  predictor.start(InterfaceVector::Constant(1, 0.1));
  predictor.aim(target(0.1, 0.0, 0.0));
  for (int tick = 1; tick <= 3; ++tick) EXPECT_EQ(predictor.at(tick).displacement[0], 0.1);
}

TEST(StepInterpolator, GoesOnFromASnapshotToTheBit) {
  trajectory::StepInterpolator predictor(1, kStep, 4);
  predictor.aim(cubic_at(0.0));
  predictor.aim(cubic_at(kStep));
  SnapshotWriter writer;
  predictor.save(writer);
  trajectory::StepInterpolator twin(1, kStep, 4);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(twin.at(3).displacement, predictor.at(3).displacement);
  EXPECT_EQ(twin.at(3).acceleration, predictor.at(3).acceleration);
}

}  // namespace
}  // namespace trestle::predictor_corrector_test
