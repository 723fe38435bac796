// The way of the commands within a step, against polynomials that it must reproduce.
#include "numerical/integration/command_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace trestle::integration::command_path_test {
namespace {

constexpr double kStep = 0.25;  // [s]

/// A polynomial of time and its derivatives, of two equations.
struct Motion {
  double square;
  double cube;

  double displacement(double t) const {
    return 0.3 - 1.2 * t + square * t * t + cube * t * t * t;
  }
  double velocity(double t) const { return -1.2 + 2.0 * square * t + 3.0 * cube * t * t; }
  double acceleration(double t) const { return 2.0 * square + 6.0 * cube * t; }
  Eigen::VectorXd at(double t) const {
    return Eigen::Vector2d(displacement(t), -2.0 * displacement(t));
  }
};

// A path of order n through a motion of order n is that motion, its rates included.
TEST(CommandPath, IsThePolynomialItGoesThrough) {
  for (int order = 1; order <= 3; ++order) {
    const Motion motion{.square = order > 1 ? 0.9 : 0.0, .cube = order > 2 ? -0.4 : 0.0};
    CommandPath path(order, kStep, 2);
    path.start(motion.at(0.0));
    for (int k = 1; k <= 3; ++k) path.begin_step(motion.at(k * kStep));
    for (const double x : {0.2, 1.0 / 3.0, 0.5, 0.8}) {
      const double time = (3.0 + x) * kStep;
      path.move(motion.at(4.0 * kStep), x);
      for (int equation = 0; equation < 2; ++equation) {
        const double factor = equation == 0 ? 1.0 : -2.0;
        const DofMotion found = path.motion(equation);
        EXPECT_NEAR(found.displacement, factor * motion.displacement(time), 1e-13);
        EXPECT_NEAR(found.velocity, factor * motion.velocity(time), 1e-12);
        EXPECT_NEAR(found.acceleration, factor * motion.acceleration(time), 1e-11);
      }
    }
  }
}

// Q(x) = ½x(x+1)·d̂ − (x−1)(x+1)·d_{k−1} + ½x(x−1)·d_{k−2}, at x = 1/3.
TEST(CommandPath, WeighsTheEndsAsLagrangeDoes) {
  CommandPath path(2, kStep, 1);
  path.start(Eigen::VectorXd::Constant(1, 9.0));
  path.begin_step(Eigen::VectorXd::Constant(1, 2.0));
  path.begin_step(Eigen::VectorXd::Constant(1, 5.0));
  path.move(Eigen::VectorXd::Constant(1, 7.0), 1.0 / 3.0);
  EXPECT_NEAR(path.motion(0).displacement, 7.0 * 2.0 / 9.0 + 5.0 * 8.0 / 9.0 - 2.0 / 9.0,
              1e-15);
}

TEST(CommandPath, EndsAtTheEstimateToTheBit) {
  for (int order = 1; order <= 3; ++order) {
    CommandPath path(order, kStep, 1);
    path.start(Eigen::VectorXd::Constant(1, 0.1));
    path.begin_step(Eigen::VectorXd::Constant(1, 0.7));
    path.move(Eigen::VectorXd::Constant(1, 1.0 / 3.0), 1.0);
    EXPECT_EQ(path.displacement()[0], 1.0 / 3.0);
  }
}

TEST(CommandPath, RefusesAnotherOrder) {
  EXPECT_THROW(CommandPath(0, kStep, 1), std::invalid_argument);
  EXPECT_THROW(CommandPath(4, kStep, 1), std::invalid_argument);
}

}  // namespace
}  // namespace trestle::integration::command_path_test
