#include "core/math/discretisation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::math {
namespace {

StateSpace lag(double omega) {
  return {Eigen::MatrixXd::Constant(1, 1, -omega), Eigen::MatrixXd::Constant(1, 1, omega),
          Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Zero(1, 1)};
}

StateSpace oscillator(double omega) {
  StateSpace system{Eigen::MatrixXd(2, 2), Eigen::MatrixXd(2, 1), Eigen::MatrixXd(1, 2),
                    Eigen::MatrixXd::Zero(1, 1)};
  system.A << 0.0, omega, -omega, 0.0;
  system.B << 0.0, omega;
  system.C << 1.0, 0.0;
  return system;
}

TEST(Discretisation, HoldOfALagIsItsExponential) {
  const DiscreteStateSpace discrete = discretise(lag(100.0), 0.01);
  EXPECT_NEAR(discrete.A(0, 0), std::exp(-1.0), 1e-15);
  EXPECT_NEAR(discrete.B(0, 0), 1.0 - std::exp(-1.0), 1e-15);
}

TEST(Discretisation, HoldOfAnUndampedOscillatorTurnsItsState) {
  // Far beyond one turn a step: scaling and squaring must hold.
  const double angle = 40.0;
  const DiscreteStateSpace discrete = discretise(oscillator(angle), 1.0);
  Eigen::Matrix2d exact;
  exact << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  EXPECT_TRUE(discrete.A.isApprox(exact, 1e-13)) << discrete.A;
  EXPECT_NEAR(discrete.B(0, 0), 1.0 - std::cos(angle), 1e-12);
  EXPECT_NEAR(discrete.B(1, 0), std::sin(angle), 1e-12);
}

TEST(Discretisation, RungeKuttaHoldCutsTheSeriesAfterTheFourthPower) {
  const double x = -0.5;  // A h
  const DiscreteStateSpace discrete =
      discretise(lag(-x), 1.0, Discretisation::kRungeKuttaHold);
  EXPECT_DOUBLE_EQ(discrete.A(0, 0),
                   1.0 + x + x * x / 2 + x * x * x / 6 + x * x * x * x / 24);
  EXPECT_DOUBLE_EQ(discrete.B(0, 0), -x * (1.0 + x / 2 + x * x / 6 + x * x * x / 24));
}

TEST(Discretisation, TustinWarpsTheFrequencyAndNothingElse) {
  const double h = 0.01;
  const double omega = 80.0;
  const DiscreteStateSpace discrete = discretise(lag(50.0), h, Discretisation::kTustin);
  const std::complex<double> z = std::polar(1.0, omega * h);
  const std::complex<double> s(0.0, 2.0 / h * std::tan(omega * h / 2.0));
  EXPECT_NEAR(std::abs(frequency_response(discrete, z)(0, 0) -
                       frequency_response(lag(50.0), s)(0, 0)),
              0.0, 1e-14);
}

TEST(Discretisation, AGainWithoutStatesStaysAGain) {
  const StateSpace gain{Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 1), Eigen::MatrixXd(1, 0),
                        Eigen::MatrixXd::Constant(1, 1, 3.0)};
  EXPECT_EQ(discretise(gain, 0.1).D(0, 0), 3.0);
}

}  // namespace
}  // namespace trestle::math
