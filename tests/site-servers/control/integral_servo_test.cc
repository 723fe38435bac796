#include "site-servers/controllers/integral_servo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/discretisation.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::integral_servo_test {
namespace {

using Eigen::MatrixXd;
using testing::benchmark_plant;
using testing::first_order;
using testing::kTick;

/// Servo-hydraulic table of fifth order, 40 ms late, its states normalised; the gains are
/// those of an independent design with SciPy.
TEST(IntegralServo, GivesAServoHydraulicTableTheGainsOfAnotherProgram) {
  const std::array<double, 5> a{8.76681819e10, 3.50672728e9, 3.05101763e7, 2.33120056e5,
                                713.141532};
  const double s = std::pow(a[0], 0.2);
  math::StateSpace table{MatrixXd::Zero(5, 5), MatrixXd::Zero(5, 1), MatrixXd::Zero(1, 5),
                         MatrixXd::Zero(1, 1)};
  for (int i = 0; i < 5; ++i) {
    if (i < 4) table.A(i, i + 1) = s;
    table.A(4, i) = -a[static_cast<std::size_t>(i)] / std::pow(s, 4 - i);
  }
  table.B(4, 0) = s;
  table.C(0, 0) = 1.0;
  const controllers::ServoGains gains = controllers::design_servo(
      math::discretise(table, kTick), {.integral = 1e6, .output = 0.0}, "");
  Eigen::RowVectorXd reference(5);
  reference << 17.622485450142687, 22.28221343530455, 18.9114949950202, 7.642475177314637,
      1.430508407875469;
  EXPECT_LT((gains.state - reference).norm(), 1e-9 * reference.norm());
  EXPECT_NEAR(gains.integral(0, 0), 892.1927887481177, 1e-6);
}

/// Poles of plant and integral under the feedback, ln(z)/(2π·tick) [Hz].
std::vector<std::complex<double>> loop_poles(const math::StateSpace& model,
                                             const controllers::ServoWeights& weights) {
  const math::DiscreteStateSpace plant = math::discretise(model, kTick);
  const controllers::ServoGains gains = controllers::design_servo(plant, weights, "");
  const Eigen::Index n = plant.A.rows();
  const Eigen::Index m = plant.B.cols();
  MatrixXd loop = MatrixXd::Identity(n + m, n + m);
  loop.topLeftCorner(n, n) = plant.A - plant.B * gains.state;
  loop.topRightCorner(n, m) = plant.B * gains.integral;
  loop.bottomLeftCorner(m, n) = -kTick * plant.C;
  std::vector<std::complex<double>> poles;
  for (const std::complex<double> z : math::eigenvalues(loop))
    poles.push_back(std::log(z) / (2.0 * std::numbers::pi * kTick));
  return poles;
}

bool has_pole(const std::vector<std::complex<double>>& poles, std::complex<double> pole) {
  return std::any_of(poles.begin(), poles.end(), [pole](std::complex<double> it) {
    return std::abs(it - pole) < 0.05;
  });
}

TEST(IntegralServo, GivesTheBenchmarkThePolesOfItsSlidingMode) {
  const auto poles = loop_poles(benchmark_plant(), {.integral = 1e6});
  for (const std::complex<double> pole :
       {std::complex<double>(-12.70, 13.23), std::complex<double>(-12.70, -13.23),
        std::complex<double>(-5.08, 0.0)})
    EXPECT_TRUE(has_pole(poles, pole)) << pole;
  for (const auto& pole : poles) EXPECT_LT(pole.real(), -2.6);
}

std::string complaint(int actuators, const controllers::ServoSettings& settings) {
  try {
    controllers::IntegralServo(actuators, settings);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(IntegralServo, RefusesSettingsThatCannotWork) {
  const controllers::ServoSettings right{
      .tick = kTick,
      .plant = {.model = first_order(20.0), .process_noise = 1.0},
      .weights = {.integral = 1e4}};
  EXPECT_EQ(complaint(1, right), "");
  controllers::ServoSettings wrong = right;
  wrong.weights.integral = 0.0;
  EXPECT_EQ(complaint(1, wrong),
            "integral_weight: is 0; a weight must be a finite number above zero");
  wrong = right;
  wrong.weights.output = -1.0;
  EXPECT_NE(complaint(1, wrong).find("output_weight: is -1"), std::string::npos);
  wrong = right;
  wrong.weights.drive = std::nan("");
  EXPECT_NE(complaint(1, wrong).find("drive_weight: is nan"), std::string::npos);
  wrong = right;
  wrong.drive_limit = {0.1, 0.1};
  EXPECT_EQ(complaint(1, wrong),
            "drive_limit: 2 values for 1 actuators; give one for all, or one each");
  wrong = right;
  wrong.drive_limit = {0.0};
  EXPECT_NE(complaint(1, wrong).find("drive_limit: is 0.0"), std::string::npos);
  EXPECT_EQ(complaint(2, right), "plant.model: has 1 drives; the rig has 2 actuators");
  wrong = right;  // a high-pass
  wrong.plant.model = math::realise(
      math::ZerosPolesGain{.zeros = {0.0}, .poles = {-20.0, -40.0}, .gain = 1.0}, "p");
  EXPECT_NE(complaint(1, wrong).find("plant.model: cannot be held at every position"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::integral_servo_test
