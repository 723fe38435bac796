#include "core/math/kalman_observer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/math/discretisation.h"
#include "core/math/zeros_poles_gain.h"

namespace trestle::math {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTick = 1.0 / 1024.0;

StateSpace first_order_lag(double pole) {
  return realise(ZerosPolesGain{.zeros = {}, .poles = {-pole}, .gain = pole}, "p");
}

TEST(PlantModel, KeepsTheGainOfTheModelAndItsDelayToTheTick) {
  const StateSpace model = first_order_lag(20.0);
  const PlantModel plain =
      discretise_plant({.model = model, .process_noise = 1.0}, kTick, "p");
  const PlantModel late = discretise_plant(
      {.model = model, .delay = 3.0 * kTick, .process_noise = 1.0}, kTick, "p");
  EXPECT_EQ(late.states(), plain.states() + 3);
  for (const double frequency : {0.1, 10.0, 200.0}) {
    const std::complex<double> z = std::polar(1.0, 2.0 * M_PI * frequency * kTick);
    const auto expected = frequency_response(plain.system, z)(0, 0) / (z * z * z);
    EXPECT_LT(std::abs(frequency_response(late.system, z)(0, 0) - expected), 1e-14);
  }
}

/// x' = u held, so that P has a closed form: p² = w (p + v), with w and v per tick.
TEST(FilterGain, OfAnIntegratorIsItsClosedForm) {
  const StateSpace integrator =
      realise(ZerosPolesGain{.zeros = {}, .poles = {0.0}, .gain = 1.0}, "p");
  const PlantModel plant = discretise_plant(
      {.model = integrator, .process_noise = 9.0, .sensor_noise = 0.5}, kTick, "p");
  const double w = 9.0 * kTick;
  const double v = 0.5 / kTick;
  const double p = 0.5 * (w + std::sqrt(w * w + 4.0 * w * v));
  EXPECT_NEAR((plant.system.C * kalman_gain(plant, "p"))(0, 0), p / (p + v), 1e-12);
}

/// A servo-hydraulic table of fifth order, its states normalised; the gain is SciPy's.
TEST(FilterGain, OfAServoHydraulicTableIsThatOfAnotherProgram) {
  const std::array<double, 5> a{8.76681819e10, 3.50672728e9, 3.05101763e7, 2.33120056e5,
                                713.141532};
  const double s = std::pow(a[0], 0.2);
  StateSpace table{MatrixXd::Zero(5, 5), MatrixXd::Zero(5, 1), MatrixXd::Zero(1, 5),
                   MatrixXd::Zero(1, 1)};
  for (int i = 0; i < 5; ++i) {
    if (i < 4) table.A(i, i + 1) = s;
    table.A(4, i) = -a[static_cast<std::size_t>(i)] / std::pow(s, 4 - i);
  }
  table.B(4, 0) = s;
  table.C(0, 0) = 1.0;
  const DiscreteStateSpace sampled = discretise(table, kTick);
  const PlantModel plant{sampled, sampled.B * sampled.B.transpose() / kTick,
                         MatrixXd::Constant(1, 1, 1e-6 / kTick)};
  VectorXd reference(5);
  reference << 0.720077938752165, 2.945768970742133, 6.305848376418274, 1.926595981957048,
      -19.793867856646127;
  EXPECT_LT((kalman_gain(plant, "p") - reference).norm(), 1e-9 * reference.norm());
}

TEST(KalmanObserver, KnowsAPlantThatIsTheModel) {
  const PlantModel plant = discretise_plant(
      {.model = first_order_lag(20.0), .delay = 2.0 * kTick, .process_noise = 1.0}, kTick,
      "p");
  KalmanObserver observer(plant, "p");
  VectorXd state = VectorXd::Zero(plant.states());
  for (int k = 0; k < 200; ++k) {
    observer.correct(plant.system.C * state);
    EXPECT_LT((observer.estimate() - state).norm(), 1e-13);
    const VectorXd drive = VectorXd::Constant(1, std::sin(0.05 * k));
    observer.predict(drive);
    state = plant.system.A * state + plant.system.B * drive;
  }
}

/// Its own promise: the variance of the estimate's error is C (I − L C) P Cᵀ = C L V.
TEST(KalmanObserver, IsAsGoodAsItSaysInNoise) {
  constexpr int kTicks = 200000;
  const ObservedPlantSettings settings{
      .model = first_order_lag(20.0), .process_noise = 0.25, .sensor_noise = 0.01};
  const PlantModel plant = discretise_plant(settings, kTick, "p");
  KalmanObserver observer(plant, "p");
  const double push = std::sqrt(settings.process_noise / kTick);
  const double read = std::sqrt(plant.sensor_noise(0, 0));
  VectorXd state = VectorXd::Zero(plant.states());
  double sum = 0.0;
  for (std::uint64_t k = 0; k < kTicks; ++k) {
    const VectorXd truth = plant.system.C * state;
    observer.correct(truth + VectorXd::Constant(1, read * standard_normal({1, 0, 0, k})));
    sum += std::pow(observer.displacement()(0) - truth(0), 2);
    observer.predict(VectorXd::Zero(1));
    state =
        plant.system.A * state + plant.system.B * (push * standard_normal({1, 0, 1, k}));
  }
  const double expected =
      (plant.system.C * kalman_gain(plant, "p"))(0, 0) * plant.sensor_noise(0, 0);
  EXPECT_LT(expected, 0.5 * plant.sensor_noise(0, 0));
  // Errors hang together over some ticks; 3 % is three deviations of such a mean.
  EXPECT_NEAR(sum / kTicks, expected, 0.03 * expected);
}

TEST(KalmanObserver, GoesOnFromASnapshotToTheBit) {
  const PlantModel plant =
      discretise_plant({.model = first_order_lag(20.0), .process_noise = 1.0}, kTick, "p");
  KalmanObserver observer(plant, "p");
  const auto turn = [](KalmanObserver& it, double y) {
    it.correct(VectorXd::Constant(1, y));
    it.predict(VectorXd::Constant(1, 0.5 * y));
  };
  for (int k = 0; k < 5; ++k) turn(observer, std::cos(k));
  SnapshotWriter writer;
  observer.save(writer);
  KalmanObserver twin(plant, "p");
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(twin.estimate(), observer.estimate());
  turn(observer, 0.3);
  turn(twin, 0.3);
  EXPECT_EQ(twin.estimate(), observer.estimate());
}

std::string complaint(const ObservedPlantSettings& settings) {
  try {
    kalman_gain(discretise_plant(settings, kTick, "plant"), "plant");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(PlantModel, RefusesWhatCannotBeObserved) {
  const StateSpace model = first_order_lag(20.0);
  EXPECT_EQ(complaint({.model = model, .process_noise = 0.0}),
            "plant.process_noise: is 0; it must be a finite number above zero");
  EXPECT_EQ(complaint({.model = model, .process_noise = 1.0, .sensor_noise = -1.0}),
            "plant.sensor_noise: is -1; it must be a finite number above zero");
  EXPECT_NE(complaint({.model = model, .delay = 1.5 * kTick, .process_noise = 1.0})
                .find("1.5 control ticks; give 0 to 64 whole ticks"),
            std::string::npos);
  StateSpace direct = model;
  direct.D(0, 0) = 0.1;
  EXPECT_NE(complaint({.model = direct, .process_noise = 1.0}).find("passes the drive on"),
            std::string::npos);
  StateSpace hidden =
      realise(ZerosPolesGain{.zeros = {}, .poles = {0.0, -20.0}, .gain = 1.0}, "p");
  hidden.C = MatrixXd::Zero(1, 2);
  EXPECT_NE(complaint({.model = hidden, .process_noise = 1.0}).find("(not detectable)"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::math
