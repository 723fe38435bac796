#include "site-servers/controllers/published_sliding_mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "core/math/discretisation.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::published_sliding_mode_test {
namespace {

using Eigen::MatrixXd;
using testing::benchmark_plant;
using testing::first_order;
using testing::kTick;

controllers::PublishedSlidingModeSettings of(const math::StateSpace& model) {
  return {.servo = {.tick = kTick, .plant = {.model = model, .process_noise = 0.01}}};
}

/// A lag in drive coordinates: z' = −a z + u, y = a z, W = 1/(2a), T22 = q/W = 2 a q. Â11 =
/// 0 and Â12 = −a give H = 2 √T22/a and P̂1 = −1/√T22, so Fₑ = −δ/√T22 and F_z = a/√T22 − a
/// + δ.
TEST(PublishedSlidingMode, GivesAFirstOrderLagTheGainsOfItsClosedForm) {
  constexpr double a = 20.0;
  controllers::PublishedSlidingModeSettings settings = of(first_order(a));
  settings.rate_weight = 4e-4;
  settings.tolerance = 150.0;
  const controllers::ServoGains gains = controllers::published_sliding_gains(settings);
  const double slope = 1.0 / std::sqrt(2.0 * a * settings.rate_weight);
  EXPECT_NEAR(gains.integral(0, 0), 150.0 * slope, 1e-9 * 150.0 * slope);
  // Per displacement: the state gain times the state at rest per displacement there.
  const math::StateSpace model = math::balanced(settings.servo.plant.model);
  const double at_rest = gains.state(0, 0) / model.C(0, 0);
  const double expected = (a * slope - a + 150.0) / a;
  EXPECT_NEAR(at_rest, expected, 1e-9 * expected);
}

/// ln(z)/(2π·tick) of plant and integral under the feedback [Hz].
std::vector<std::complex<double>> sampled_poles(
    const controllers::PublishedSlidingModeSettings& it) {
  const controllers::ServoGains gains = controllers::published_sliding_gains(it);
  const math::DiscreteStateSpace plant =
      math::discretise(math::balanced(it.servo.plant.model), kTick);
  const Eigen::Index n = plant.A.rows();
  const Eigen::Index r = plant.B.cols();
  MatrixXd loop = MatrixXd::Identity(n + r, n + r);
  loop.topLeftCorner(n, n) = plant.A - plant.B * gains.state;
  loop.topRightCorner(n, r) = plant.B * gains.integral;
  loop.bottomLeftCorner(r, n) = -kTick * plant.C;
  std::vector<std::complex<double>> poles;
  for (const std::complex<double> z : math::eigenvalues(loop))
    poles.push_back(std::log(z) / (2.0 * std::numbers::pi * kTick));
  return poles;
}

/// Those that docs/explanation/sliding-mode.md states.
TEST(PublishedSlidingMode, GivesTheBenchmarkThePolesOfItsPage) {
  const auto poles = sampled_poles(of(benchmark_plant()));
  for (const std::complex<double> pole :
       {std::complex<double>(-12.44, 12.48), std::complex<double>(-5.06, 0.0),
        std::complex<double>(-29.02, 32.98), std::complex<double>(-49.50, 16.55),
        std::complex<double>(-60.16, 0.0), std::complex<double>(-90.24, 0.0),
        std::complex<double>(-116.85, 0.0)})
    EXPECT_TRUE(std::any_of(poles.begin(), poles.end(), [pole](std::complex<double> it) {
      return std::abs(it - pole) < 0.02;
    })) << pole;
}

/// As the weight of the energy, so the matrix of it in any states.
TEST(PublishedSlidingMode, TakesAWeightInTheModelsOwnStates) {
  // x' = −a x + a u as z' = −a z + 1000 a u, x = z/1000: W = 1000² a/2.
  constexpr double a = 20.0;
  controllers::PublishedSlidingModeSettings by_energy = of(first_order(a));
  by_energy.servo.plant.model = {MatrixXd::Constant(1, 1, -a),
                                 MatrixXd::Constant(1, 1, 1000.0 * a),
                                 MatrixXd::Constant(1, 1, 1e-3), MatrixXd::Zero(1, 1)};
  by_energy.rate_weight = 2e-4;
  controllers::PublishedSlidingModeSettings given = by_energy;
  given.surface_weight = MatrixXd::Zero(2, 2);
  given.surface_weight.diagonal() << 1.0, 2e-4 / (1e6 * a / 2.0);
  EXPECT_NEAR(controllers::published_sliding_gains(given).integral(0, 0),
              controllers::published_sliding_gains(by_energy).integral(0, 0), 1e-9);
  EXPECT_NEAR(controllers::published_sliding_gains(given).state(0, 0),
              controllers::published_sliding_gains(by_energy).state(0, 0), 1e-9);
}

std::string complaint(const controllers::PublishedSlidingModeSettings& settings,
                      int actuators = 1) {
  try {
    controllers::PublishedSlidingMode(actuators, settings);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(PublishedSlidingMode, RefusesSettingsThatCannotWork) {
  const controllers::PublishedSlidingModeSettings right = of(first_order(20.0));
  EXPECT_EQ(complaint(right), "");
  controllers::PublishedSlidingModeSettings wrong = right;
  wrong.tolerance = 0.0;
  EXPECT_NE(complaint(wrong).find("sliding_tolerance is 0.0"), std::string::npos);
  wrong.tolerance = 2.01 / kTick;
  EXPECT_NE(complaint(wrong).find("must be below 2048 1/s"), std::string::npos);
  wrong = right;
  wrong.rate_weight = 1e-9;  // a surface far beyond the control tick
  EXPECT_NE(complaint(wrong).find("unstable at the control tick"), std::string::npos);
  wrong.rate_weight = 0.0;
  EXPECT_NE(complaint(wrong).find("rate_weight is 0.0"), std::string::npos);
  wrong = right;
  wrong.servo.plant.delay = 2.0 * kTick;
  EXPECT_NE(complaint(wrong).find("plant.delay: is 0.00195312 s"), std::string::npos);
  wrong = right;
  wrong.surface_weight = MatrixXd::Identity(3, 3);
  EXPECT_NE(complaint(wrong).find("surface_weight: is 3 x 3; give 2 x 2"),
            std::string::npos);
  wrong.surface_weight = MatrixXd::Zero(2, 2);
  wrong.surface_weight(0, 0) = 1.0;
  EXPECT_NE(complaint(wrong).find("T22 is not positive definite"), std::string::npos);
  wrong.surface_weight = -MatrixXd::Identity(2, 2);
  EXPECT_NE(complaint(wrong).find("negative eigenvalue"), std::string::npos);
  wrong.surface_weight << 1.0, 0.5, 0.0, 1.0;
  EXPECT_NE(complaint(wrong).find("not finite and symmetric"), std::string::npos);
  EXPECT_NE(complaint(right, 2).find("plant.model: has 1 drives; the rig has 2"),
            std::string::npos);
  wrong = right;
  wrong.servo.plant.model.A(0, 0) = 3.0;
  EXPECT_NE(complaint(wrong).find("rate_weight: weighs the energy"), std::string::npos);
}

}  // namespace
}  // namespace trestle::published_sliding_mode_test
