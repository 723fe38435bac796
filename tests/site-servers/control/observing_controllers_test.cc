// What LQG and sliding mode control have in common, on known plants.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/published_sliding_mode.h"
#include "site-servers/controllers/sliding_mode_controller.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::observing_controllers_test {
namespace {

using testing::benchmark_plant;
using testing::first_order;
using testing::kTick;
using testing::ServoLoop;

using Maker = std::unique_ptr<ActuatorController> (*)(int,
                                                      const controllers::ServoSettings&);

std::unique_ptr<ActuatorController> make_lqg(int actuators,
                                             const controllers::ServoSettings& settings) {
  return std::make_unique<controllers::LqgController>(actuators, settings);
}
std::unique_ptr<ActuatorController> make_sliding(
    int actuators, const controllers::ServoSettings& settings) {
  return std::make_unique<controllers::SlidingModeController>(
      actuators, controllers::SlidingModeSettings{settings});
}

std::unique_ptr<ActuatorController> make_published(
    int actuators, const controllers::ServoSettings& settings) {
  return std::make_unique<controllers::PublishedSlidingMode>(
      actuators, controllers::PublishedSlidingModeSettings{settings});
}

class ObservingController : public ::testing::TestWithParam<Maker> {
 protected:
  static std::unique_ptr<ActuatorController> make(
      const controllers::ServoSettings& settings) {
    return GetParam()(static_cast<int>(settings.plant.model.outputs()), settings);
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, ObservingController,
                         ::testing::Values(&make_lqg, &make_sliding, &make_published),
                         [](const auto& it) {
                           return it.param == &make_lqg       ? "Lqg"
                                  : it.param == &make_sliding ? "SlidingMode"
                                                              : "PublishedSlidingMode";
                         });

controllers::ServoSettings of(const math::StateSpace& model, double process_noise = 100.0) {
  return {.tick = kTick,
          .plant = {.model = model, .process_noise = process_noise},
          .weights = {.integral = 1e5}};
}

controllers::ServoSettings of_benchmark() {
  return {.tick = kTick,
          .plant = {.model = benchmark_plant(), .process_noise = 0.01},
          .weights = {.integral = 1e6}};
}

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

TEST_P(ObservingController, HoldsAConstantCommandExactly) {
  const auto controller = make(of(first_order(20.0)));
  ServoLoop loop(first_order(20.0), *controller);
  for (int k = 0; k < 2048; ++k) loop.tick(one(0.01));
  EXPECT_NEAR(loop.displacement()(0), 0.01, 1e-14);
}

TEST_P(ObservingController, HoldsItAlsoWhereThePlantIsNotTheModel) {
  const auto controller = make(of(first_order(20.0)));
  ServoLoop loop(first_order(26.0, 0.7), *controller);
  for (int k = 0; k < 4096; ++k) loop.tick(one(0.01));
  EXPECT_NEAR(loop.displacement()(0), 0.01, 1e-12);
}

TEST_P(ObservingController, OfTheEstimateHoldsWhatTheModelWouldDo) {
  controllers::ServoSettings settings = of(first_order(20.0), 1e-9);
  settings.integrand = controllers::IntegralErrorSource::kEstimated;
  const auto controller = make(settings);
  ServoLoop loop(first_order(20.0, 0.7), *controller);
  for (int k = 0; k < 4096; ++k) loop.tick(one(0.01));
  EXPECT_NEAR(loop.displacement()(0), 0.7 * 0.01, 1e-6);
}

/// The stored drives know what is under way.
TEST_P(ObservingController, ToldOfADelayIsCalmWithIt) {
  if (GetParam() == &make_published) GTEST_SKIP() << "the published law knows no delay";
  constexpr int kDelay = 40;
  controllers::ServoSettings settings = of(first_order(20.0));
  const auto unaware = make(settings);
  settings.plant.delay = kDelay * kTick;
  const auto aware = make(settings);
  ServoLoop calm(first_order(20.0), *aware, kDelay);
  ServoLoop wild(first_order(20.0), *unaware, kDelay);
  double peak = 0.0;
  double worst = 0.0;
  for (int k = 0; k < 4096; ++k) {
    peak = std::max(peak, calm.tick(one(0.01))(0));
    worst = std::max(worst, std::abs(wild.tick(one(0.01))(0)));
  }
  EXPECT_LT(peak, 1.2 * 0.01);
  EXPECT_NEAR(calm.displacement()(0), 0.01, 1e-12);
  EXPECT_GT(worst, 1.0) << "the delay is no matter: the test says nothing";
}

TEST_P(ObservingController, DoesNothingInSilence) {
  const auto controller = make(of_benchmark());
  ServoLoop loop(benchmark_plant(), *controller);
  for (int k = 0; k < 2048; ++k) {
    loop.tick(ActuatorVector::Zero(2));
    ASSERT_TRUE(loop.drive().isZero(0.0));
  }
}

TEST_P(ObservingController, StaysCalmThroughAMillionTicksOfNoise) {
  const auto controller = make(of_benchmark());
  ServoLoop loop(benchmark_plant(), *controller);
  loop.noise = 12e-6;
  double worst = 0.0;
  for (int k = 0; k < 1000000; ++k) {
    loop.tick(ActuatorVector::Zero(2));
    worst = std::max(worst, loop.drive().lpNorm<Eigen::Infinity>());
  }
  // A servo of some 15 Hz passes a sixth of the noise's deviation; five of that are rare.
  EXPECT_LT(worst, 5.0 * 3.0 * loop.noise);
  EXPECT_GT(worst, 0.1 * loop.noise);
}

TEST_P(ObservingController, RecoversWhereThePlantChangesDuringTheRun) {
  const auto controller = make(of(first_order(20.0)));
  ServoLoop loop(first_order(20.0), *controller);
  for (int k = 0; k < 2048; ++k) loop.tick(one(0.01));
  loop.become(first_order(14.0, 0.6));
  double worst = 0.0;
  for (int k = 0; k < 4096; ++k) worst = std::max(worst, std::abs(loop.tick(one(0.01))(0)));
  EXPECT_NEAR(loop.displacement()(0), 0.01, 1e-10);
  EXPECT_LT(worst, 2.0 * 0.01);
}

/// The plant cannot reach the command; freed of it, it comes back as a fresh one would.
TEST_P(ObservingController, DoesNotWindUpWhereThePlantSaturates) {
  controllers::ServoSettings settings = of(first_order(20.0));
  settings.drive_limit = {0.01};
  const auto limited = make(settings);
  ServoLoop loop(first_order(20.0), *limited);
  loop.saturation = 0.01;
  for (int k = 0; k < 20 * 1024; ++k) {
    loop.tick(one(0.05));
    ASSERT_LE(loop.drive()(0), 0.01);
  }
  EXPECT_NEAR(loop.displacement()(0), 0.01, 1e-9);
  for (int k = 0; k < 512; ++k) loop.tick(one(0.0));
  EXPECT_NEAR(loop.displacement()(0), 0.0, 1e-4);
}

TEST_P(ObservingController, LeavesARigWhereItStandsAtTheStart) {
  const auto controller = make(of(first_order(20.0, 0.8)));
  Measurement sensed = Measurement::zero(1);
  sensed.displacement(0) = 0.03;
  for (int k = 0; k < 100; ++k)
    EXPECT_NEAR(controller->drive(one(0.03), sensed)(0), 0.03 / 0.8, 1e-14);
}

TEST_P(ObservingController, ResetForgetsTheRun) {
  const auto controller = make(of_benchmark());
  Measurement sensed = Measurement::zero(2);
  const ActuatorVector command = ActuatorVector::Constant(2, 1e-3);
  const ActuatorVector first = controller->drive(command, sensed);
  for (int k = 0; k < 20; ++k) {
    sensed.displacement.setConstant(1e-3 * std::sin(k));
    controller->drive(command, sensed);
  }
  controller->reset();
  sensed.displacement.setZero();
  EXPECT_EQ(controller->drive(command, sensed), first);
}

TEST_P(ObservingController, GoesOnFromASnapshotToTheBit) {
  const auto controller = make(of_benchmark());
  const auto twin = make(of_benchmark());
  Measurement sensed = Measurement::zero(2);
  const auto turn = [&sensed](ActuatorController& it, int k) {
    sensed.displacement << 1e-3 * std::sin(k), 2e-3 * std::cos(k);
    return it.drive(ActuatorVector::Constant(2, 1e-3 * std::cos(0.1 * k)), sensed);
  };
  for (int k = 0; k < 50; ++k) turn(*controller, k);
  SnapshotWriter writer;
  controller->save(writer);
  SnapshotReader reader(writer.values());
  twin->restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int k = 50; k < 100; ++k) EXPECT_EQ(turn(*twin, k), turn(*controller, k));
}

TEST(SlidingModeController, IsLqgWhereThePlantIsTheModel) {
  controllers::LqgController lqg(2, of_benchmark());
  controllers::SlidingModeController sliding(2, {of_benchmark()});
  ServoLoop one(benchmark_plant(), lqg);
  ServoLoop other(benchmark_plant(), sliding);
  for (int k = 0; k < 2048; ++k) {
    const ActuatorVector command = ActuatorVector::Constant(2, 4e-3 * std::sin(0.014 * k));
    one.tick(command);
    other.tick(command);
    // The loops hold the plant by Runge and Kutta, the observers exactly: 1e-7 apart.
    ASSERT_LT((one.drive() - other.drive()).norm(), 1e-8);
    ASSERT_LT(sliding.distance().norm(), 1e-8);
  }
}

/// The surface of a controller whose observer all but copies the readings, hit once.
TEST(SlidingModeController, ReturnsToItsSurfaceByItsReachingLaw) {
  const controllers::SlidingModeSettings settings{.servo = of(first_order(20.0), 1e12),
                                                  .reaching_rate = 40.0,
                                                  .reaching_gain = 0.5,
                                                  .tolerance = 1e-3};
  controllers::SlidingModeController controller(1, settings);
  Measurement sensed = Measurement::zero(1);
  double drive = controller.drive(one(0.0), sensed)(0);
  const double share = 1.0 - std::exp(-20.0 * kTick);  // of the drive, in one tick
  sensed.displacement(0) = 0.05;                       // what no model expects
  for (int k = 0; k < 50; ++k) {
    const double before = controller.distance()(0);
    drive = controller.drive(one(0.0), sensed)(0);
    const double after = controller.distance()(0);
    if (k == 0) {
      ASSERT_GT(after, 0.05);
    } else {
      const double size = std::abs(before);
      EXPECT_NEAR(after, before * (1.0 - kTick * (40.0 + 0.5 / (size + 1e-3))), 1e-9) << k;
    }
    // From now on the readings are what the observer expects.
    sensed.displacement(0) += share * (drive - sensed.displacement(0));
  }
}

/// One wrong reading: the surface gives way to it, LQG follows it at once.
TEST(SlidingModeController, FollowsASingleWrongReadingLessThanLqg) {
  const controllers::ServoSettings settings = of(first_order(20.0), 100.0);
  controllers::LqgController lqg(1, settings);
  controllers::SlidingModeController sliding(1, {settings});
  Measurement sensed = Measurement::zero(1);
  lqg.drive(one(0.0), sensed);
  sliding.drive(one(0.0), sensed);
  sensed.displacement(0) = 0.05;
  const double followed = std::abs(lqg.drive(one(0.0), sensed)(0));
  EXPECT_LT(std::abs(sliding.drive(one(0.0), sensed)(0)), 0.5 * followed);
}

/// By its defaults, at the tick of the benchmark, the reaching law must not bring a small
/// distance to zero within one tick: the controller would be LQG to the last digit.
TEST(SlidingModeController, ActsByItsDefaultsOnSmallSurprises) {
  const controllers::ServoSettings settings = of(first_order(20.0), 100.0);
  controllers::LqgController lqg(1, settings);
  controllers::SlidingModeController sliding(1, {settings});
  Measurement sensed = Measurement::zero(1);
  lqg.drive(one(0.0), sensed);
  sliding.drive(one(0.0), sensed);
  sensed.displacement(0) = 5e-6;  // noise of a transducer, far below the tolerance
  const double followed = std::abs(lqg.drive(one(0.0), sensed)(0));
  EXPECT_LT(std::abs(sliding.drive(one(0.0), sensed)(0)), 0.5 * followed);
  EXPECT_GT(std::abs(sliding.distance()(0)), 0.5 * followed);
}

}  // namespace
}  // namespace trestle::observing_controllers_test
