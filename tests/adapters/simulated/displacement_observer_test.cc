#include "adapters/simulated/displacement_observer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/math/sampled_system.h"
#include "core/math/zeros_poles_gain.h"

namespace trestle::simulated::displacement_observer_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;
constexpr double kNoise = 1.2e-5;

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

math::StateSpace servo() {
  return math::realise(
      math::ZerosPolesGain{.zeros = {}, .poles = {-20.0, -120.0}, .gain = 2400.0}, "p");
}

/// Root mean squares of read and of estimated less where the actuator is.
std::pair<double, double> errors(DisplacementObserver& observer) {
  constexpr int kTicks = 20000;
  math::SampledSystem plant(servo(), kTick);
  double read_error = 0.0;
  double estimate_error = 0.0;
  for (int k = 0; k < kTicks; ++k) {
    const double noise = kNoise * standard_normal({3, 0, 0, static_cast<std::uint64_t>(k)});
    const double estimate = observer.estimate(one(plant.output()(0) + noise))(0);
    read_error += noise * noise;
    estimate_error += std::pow(estimate - plant.output()(0), 2);
    const ActuatorVector drive = one(4e-3 * std::sin(0.014 * k));
    observer.advance(drive);
    plant.advance(drive);
  }
  return {std::sqrt(read_error / kTicks), std::sqrt(estimate_error / kTicks)};
}

TEST(DisplacementObserver, TakesMostOfTheNoiseAwayAndAddsNoDelay) {
  DisplacementObserver observer({.model = servo(), .process_noise = 0.01}, "estimator");
  observer.prepare(kTick);
  const auto [read, estimated] = errors(observer);
  EXPECT_NEAR(read, kNoise, 0.02 * kNoise);
  EXPECT_LT(estimated, 0.1 * kNoise);
}

TEST(DisplacementObserver, TrustsTheTransducerWhereItIsTold) {
  DisplacementObserver observer({.model = servo(), .process_noise = 1e12}, "estimator");
  observer.prepare(kTick);
  const auto [read, estimated] = errors(observer);
  EXPECT_NEAR(estimated, read, 0.05 * read);
}

TEST(DisplacementObserver, StartsEveryRunAtRest) {
  DisplacementObserver observer({.model = servo(), .process_noise = 1.0}, "estimator");
  observer.prepare(kTick);
  const double first = observer.estimate(one(1e-3))(0);
  observer.advance(one(0.1));
  observer.estimate(one(2e-3));
  observer.prepare(kTick);
  EXPECT_EQ(observer.estimate(one(1e-3))(0), first);
}

TEST(DisplacementObserver, GoesOnFromASnapshotToTheBit) {
  DisplacementObserver observer({.model = servo(), .process_noise = 1.0}, "estimator");
  DisplacementObserver twin({.model = servo(), .process_noise = 1.0}, "estimator");
  observer.prepare(kTick);
  twin.prepare(kTick);
  const auto turn = [](DisplacementObserver& it, int k) {
    const double estimate = it.estimate(one(1e-3 * std::sin(k)))(0);
    it.advance(one(1e-3 * std::cos(k)));
    return estimate;
  };
  for (int k = 0; k < 20; ++k) turn(observer, k);
  SnapshotWriter writer;
  observer.save(writer);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int k = 20; k < 40; ++k) EXPECT_EQ(turn(twin, k), turn(observer, k));
}

TEST(DisplacementObserver, RefusesAtTheStartWhatCannotBeObserved) {
  DisplacementObserver observer(
      {.model = servo(), .delay = 0.3 * kTick, .process_noise = 1.0}, "rig.estimator");
  try {
    observer.prepare(kTick);
    FAIL() << "no whole ticks";
  } catch (const SettingError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("rig.estimator.delay: ", 0), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace trestle::simulated::displacement_observer_test
