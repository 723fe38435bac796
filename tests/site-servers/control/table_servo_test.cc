// LQG and ATS of the 40 ms table of the vehicle–bridge tests: gains and coefficients as the
// specification's independent prototype has them.
#include <gtest/gtest.h>

#include <cmath>

#include "core/math/discretisation.h"
#include "core/math/plant_model.h"
#include "core/math/transfer_function.h"
#include "site-servers/compensators/inverse_model_fit.h"
#include "site-servers/controllers/lqg_controller.h"

namespace trestle::table_servo_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;
constexpr double kBar = 1e-4;

math::StateSpace table() {
  return math::realise(math::transfer_function(math::ServoHydraulicTable{}), "table");
}

controllers::ServoSettings servo(int latency = 0) {
  return {.tick = kTick,
          .plant = {.model = table(),
                    .delay = latency * kTick,
                    .process_noise = 1.0,
                    .sensor_noise = 1e-6},
          .weights = {.integral = 1e6, .output = 0.0, .drive = 1.0},
          .integrand = controllers::IntegralErrorSource::kEstimated};
}

compensators::FrequencyResponse loop_response(int latency = 0) {
  const controllers::LqgController lqg(1, servo(latency));
  const math::DiscreteStateSpace loop = compensators::closed_loop(
      math::discretise_plant(servo(latency).plant, kTick, "plant").system,
      *lqg.linearise(1));
  return [loop](std::complex<double> s) {
    return math::frequency_response(loop, std::exp(s * kTick))(0, 0);
  };
}

void expect_coefficients(const compensators::SeriesCoefficients& found,
                         const compensators::SeriesCoefficients& known) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i] / known[i], 1.0, kBar) << i;
}

TEST(TableServo, ItsFeedbackGainsAreThoseOfThePrototype) {
  const controllers::ServoGains gains =
      controllers::design_servo(math::discretise(table(), kTick), servo().weights, "");
  const Eigen::RowVectorXd known{{17.6225, 22.2821, 18.9115, 7.64248, 1.43051}};
  for (Eigen::Index i = 0; i < known.size(); ++i)
    EXPECT_NEAR(gains.state(0, i) / known[i], 1.0, kBar) << i;
  EXPECT_NEAR(gains.integral(0, 0) / 892.193, 1.0, kBar);
}

TEST(TableServo, ItsFilterGainIsThatOfThePrototype) {
  // By hand in the normalised states: discretise_plant() scales them by powers of two.
  math::PlantModel plant{math::discretise(table(), kTick), {}, {}};
  plant.process_noise = plant.system.B * plant.system.B.transpose() / kTick;
  plant.sensor_noise = Eigen::MatrixXd::Constant(1, 1, 1e-6 / kTick);
  const Eigen::MatrixXd gain = math::kalman_gain(plant, "plant");
  const Eigen::VectorXd known{{0.720078, 2.94577, 6.30585, 1.92660, -19.7939}};
  for (Eigen::Index i = 0; i < known.size(); ++i)
    EXPECT_NEAR(gain(i, 0) / known[i], 1.0, kBar) << i;
}

TEST(TableServo, AloneItLagsARampAsItsWeightSays) {
  // 20.8, 26.7 and 38 ms as they were given; the fourth was given as 63 ms, and the closed
  // form (1 + K1)/kI of these designs is 20.87, 26.70, 38.12 and 64.99 ms.
  for (const auto& [weight, delay] :
       {std::pair{1e6, 0.0208}, {1e5, 0.0267}, {1e4, 0.038}, {1e3, 0.065}}) {
    controllers::ServoSettings settings = servo();
    settings.weights.integral = weight;
    const controllers::LqgController lqg(1, settings);
    const math::DiscreteStateSpace loop = compensators::closed_loop(
        math::discretise_plant(settings.plant, kTick, "plant").system, *lqg.linearise(1));
    const compensators::SeriesCoefficients inverse =
        compensators::taylor_inverse([&](std::complex<double> s) {
          return math::frequency_response(loop, std::exp(s * kTick))(0, 0);
        });
    EXPECT_NEAR(inverse[0], 1.0, 1e-9);
    EXPECT_NEAR(inverse[1], delay, 0.02 * delay) << weight;
  }
}

TEST(TableServo, TheFittedInverseOfTheBareTableIsThatOfThePrototype) {
  const math::StateSpace bare = table();
  const compensators::FrequencyResponse response = [&](std::complex<double> s) {
    return math::frequency_response(bare, s)(0, 0);
  };
  expect_coefficients(compensators::fit_inverse(response, {}),
                      {0.994647, 0.0357573, 3.29131e-4});
  // A4/A5 = 1/K and A3/A5.
  expect_coefficients(compensators::taylor_inverse(response), {1.0, 0.04, 3.48019e-4});
}

TEST(TableServo, TheFittedInverseOfTheLoopIsThatOfThePrototype) {
  expect_coefficients(compensators::fit_inverse(loop_response(), {}),
                      {0.996802, 0.0189711, 1.85651e-4});
}

TEST(TableServo, ALatencyThatTheDesignKnowsAddsItselfToTheLoop) {
  // The drive comes d ticks later, and the loop gets slower by more than that, not by much.
  const double prompt = compensators::taylor_inverse(loop_response())[1];
  for (const int latency : {1, 2, 3}) {
    const double late = compensators::taylor_inverse(loop_response(latency))[1];
    EXPECT_GT(late, prompt + 0.9 * latency * kTick);
    EXPECT_LT(late, prompt + 2.0 * latency * kTick);
  }
}

}  // namespace
}  // namespace trestle::table_servo_test
