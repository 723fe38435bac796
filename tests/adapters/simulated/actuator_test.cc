#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "adapters/simulated/delayed_actuator.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/pure_delay.h"

namespace trestle::simulated::actuator_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

double step_to(ActuatorModel& model, double drive) {
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  model.advance(one(drive), stroke);
  return stroke.displacement(0);
}

TEST(PureDelay, WithoutDelayTheDriveIsReachedOneTickLater) {
  PureDelay ideal({});
  ideal.prepare(kTick);
  for (const double drive : {0.3, -1.0 / 3.0, 1e-17, 5.0})
    EXPECT_EQ(step_to(ideal, drive), drive);
}

/// One that is stopped in the midst of its motion gives its specimen no blow; one that
/// begins to move does have an acceleration.
template <typename Actuator>
void expect_no_acceleration_of_a_stop(Actuator& actuator) {
  actuator.prepare(kTick);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  for (const double drive : {0.0, 0.0, 0.0, 1e-3, 3e-3})
    actuator.advance(ActuatorVector::Constant(1, drive), stroke);
  EXPECT_NEAR(stroke.acceleration(0), 1e-3 / (kTick * kTick), 1e-9 / (kTick * kTick));
  for (int n = 0; n < 3; ++n) {
    actuator.advance(ActuatorVector::Constant(1, 3e-3), stroke);
    EXPECT_EQ(stroke.velocity(0), 0.0) << n;
    EXPECT_EQ(stroke.acceleration(0), 0.0) << n;
  }
}

TEST(PureDelay, StopsWithoutABlow) {
  PureDelay ideal({});
  expect_no_acceleration_of_a_stop(ideal);
}

TEST(LinearActuators, StopWithoutABlowWhereTheyHaveFeedthrough) {
  LinearActuators ideal({Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 1),
                         Eigen::MatrixXd(1, 0), Eigen::MatrixXd::Ones(1, 1)});
  expect_no_acceleration_of_a_stop(ideal);
}

TEST(PureDelay, WholeTicksGiveTheOldDrivesThemselves) {
  PureDelay delay({.delay = 12 * kTick, .gain = 1.0});
  delay.prepare(kTick);
  for (int n = 0; n < 50; ++n)
    EXPECT_EQ(step_to(delay, std::sin(n)), n < 12 ? 0.0 : std::sin(n - 12)) << n;
}

TEST(PureDelay, AFractionOfATickDelaysAConstantRateExactly) {
  const double late = 2.375;  // ticks
  PureDelay delay({.delay = late * kTick, .gain = 0.5});
  delay.prepare(kTick);
  for (int n = 0; n < 20; ++n) {
    const double found = step_to(delay, n);
    if (n >= 3) {
      EXPECT_NEAR(found, 0.5 * (n - late), 1e-14);
    }
  }
}

TEST(PureDelay, VelocityAndAccelerationAreBackwardDifferences) {
  PureDelay ideal({});
  ideal.prepare(0.5);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  ideal.advance(one(1.0), stroke);
  EXPECT_EQ(stroke.velocity(0), 2.0);
  EXPECT_EQ(stroke.acceleration(0), 4.0);
  ideal.advance(one(3.0), stroke);
  EXPECT_EQ(stroke.velocity(0), 4.0);
  EXPECT_EQ(stroke.acceleration(0), 4.0);
}

TEST(LinearActuators, FirstOrderStepIsItsExponentialAtEveryTick) {
  const double omega = 2.0 * std::numbers::pi * 10.0;
  LinearActuators lag(first_order_lag(10.0, 0.9));
  lag.prepare(kTick);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  for (int n = 1; n <= 100; ++n) {
    lag.advance(one(1.0), stroke);
    const double decay = std::exp(-omega * n * kTick);
    EXPECT_NEAR(stroke.displacement(0), 0.9 * (1.0 - decay), 1e-13);
    EXPECT_NEAR(stroke.velocity(0), 0.9 * omega * decay, 1e-13 * omega);
    EXPECT_NEAR(stroke.acceleration(0), -0.9 * omega * omega * decay,
                1e-13 * omega * omega);
  }
}

TEST(LinearActuators, SecondOrderStepIsItsDampedSineAtEveryTick) {
  const double omega = 2.0 * std::numbers::pi * 18.0;
  const double zeta = 0.7;
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  LinearActuators lag(second_order_lag(18.0, zeta, 1.0));
  lag.prepare(kTick);
  for (int n = 1; n <= 200; ++n) {
    const double t = n * kTick;
    const double exact =
        1.0 - std::exp(-zeta * omega * t) *
                  (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
    EXPECT_NEAR(step_to(lag, 1.0), exact, 1e-12);
  }
}

TEST(LinearActuators, ASineComesThroughAsTheHeldSystemsResponse) {
  // Steady state at the ticks: H(z) at z = exp(jωδt), after the input's own tick.
  const double omega = 2.0 * std::numbers::pi * 5.0;
  const math::StateSpace system = second_order_lag(18.0, 0.7, 1.0);
  const std::complex<double> z = std::polar(1.0, omega * kTick);
  const std::complex<double> response =
      math::frequency_response(math::discretise(system, kTick), z)(0, 0);
  LinearActuators lag(system);
  lag.prepare(kTick);
  for (int n = 0; n < 1024; ++n) {
    const double found = step_to(lag, std::sin(omega * n * kTick));
    const double exact = (response * std::polar(1.0, omega * (n + 1) * kTick)).imag();
    if (n > 800) {  // the start has died out: exp(−79 · 0.78)
      EXPECT_NEAR(found, exact, 1e-12);
    }
  }
}

TEST(LinearActuators, AGainIsAnIdealActuatorWithThatGain) {
  LinearActuators gain({Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 1), Eigen::MatrixXd(1, 0),
                        Eigen::MatrixXd::Constant(1, 1, 2.0)});
  gain.prepare(0.5);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  gain.advance(one(3.0), stroke);
  EXPECT_EQ(stroke.displacement(0), 6.0);
  EXPECT_EQ(stroke.velocity(0), 12.0);
}

TEST(DelayedActuator, DoesWhatItsServoLoopDoesWholeTicksLater) {
  LinearActuators prompt(second_order_lag(18.0, 0.7, 0.9));
  DelayedActuator late(7 * kTick, second_order_lag(18.0, 0.7, 0.9));
  prompt.prepare(kTick);
  late.prepare(kTick);
  std::vector<double> expected(7, 0.0);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  for (int n = 0; n < 60; ++n) {
    expected.push_back(step_to(prompt, std::sin(0.1 * n)));
    late.advance(one(std::sin(0.1 * n)), stroke);
    EXPECT_EQ(stroke.displacement(0), expected[static_cast<std::size_t>(n)]) << n;
  }
}

TEST(DelayedActuator, BetweenTicksItsServoLoopFollowsTheStraightLine) {
  PureDelay delay({.delay = 2.25 * kTick, .gain = 1.0});
  LinearActuators servo(first_order_lag(10.0, 1.0));
  DelayedActuator both(2.25 * kTick, first_order_lag(10.0, 1.0));
  delay.prepare(kTick);
  servo.prepare(kTick);
  both.prepare(kTick);
  for (int n = 0; n < 60; ++n)
    EXPECT_EQ(step_to(both, std::cos(n)), step_to(servo, step_to(delay, std::cos(n)))) << n;
}

}  // namespace
}  // namespace trestle::simulated::actuator_test
