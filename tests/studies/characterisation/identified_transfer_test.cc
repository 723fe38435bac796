#include "studies/characterisation/identified_transfer.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numbers>

#include "adapters/simulated/delayed_actuator.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/pure_delay.h"
#include "core/base/random.h"
#include "core/math/zeros_poles_gain.h"
#include "tests/studies/characterisation/response_bench.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

constexpr std::uint64_t kSeeds = 20;

struct Truth {
  const char* name;
  std::function<std::unique_ptr<simulated::ActuatorModel>()> make;
  double delay;
  double gain;
  int order;
};

const math::ZerosPolesGain kThird{{-150.0}, {{-60.0, 80.0}, {-60.0, -80.0}, -40.0}, 2500.0};

const std::vector<Truth>& truths() {
  using std::make_unique;
  static const std::vector<Truth> all{
      {"ideal",
       [] { return make_unique<simulated::PureDelay>(simulated::PureDelaySettings{}); },
       0.0, 1.0, 0},
      {"delay of whole ticks",
       [] {
         return make_unique<simulated::PureDelay>(
             simulated::PureDelaySettings{.delay = 12 * kTick, .gain = 1.0});
       },
       12 * kTick, 1.0, 0},
      {"delay",
       [] {
         return make_unique<simulated::PureDelay>(
             simulated::PureDelaySettings{.delay = 0.0123, .gain = 1.0});
       },
       0.0123, 1.0, 0},
      {"first order",
       [] {
         return make_unique<simulated::LinearActuators>(
             simulated::first_order_lag(10.0, 0.95));
       },
       0.0, 0.95, 1},
      {"second order",
       [] {
         return make_unique<simulated::LinearActuators>(
             simulated::second_order_lag(18.0, 0.7, 1.0));
       },
       0.0, 1.0, 2},
      {"zeros, poles and gain of third order",
       [] { return make_unique<simulated::LinearActuators>(math::realise(kThird, "zpk")); },
       0.0, 2500.0 * 150.0 / (10000.0 * 40.0), 3},
      {"delay and second order",
       [] {
         return make_unique<simulated::DelayedActuator>(
             0.0075, simulated::second_order_lag(18.0, 0.7, 0.9));
       },
       0.0075, 0.9, 2}};
  return all;
}

/// The true response, from a motion without noise.
std::vector<Complex> true_response(const Truth& truth, std::vector<double>& frequency) {
  const std::unique_ptr<simulated::ActuatorModel> model = truth.make();
  const FrequencyResponseData lines = lines_of(*model, 0.0, 0, 10.0);
  frequency = lines.frequency;
  std::vector<Complex> response;
  for (std::size_t k = 0; k < frequency.size(); ++k)
    response.push_back(lines.measured[k] / lines.drive[k]);
  return response;
}

/// Largest error of the found response in the band, over what is stated of it.
double response_error(const IdentifiedTransfer& found, const std::vector<double>& frequency,
                      const std::vector<Complex>& response) {
  const std::vector<Complex> fitted =
      tick_response(found.transfer, TickCircle(frequency, kTick));
  double error = 0.0;
  double largest = 0.0;
  for (std::size_t k = 0; k < frequency.size(); ++k) {
    error = std::max(error, std::abs(fitted[k] - response[k]));
    largest = std::max(largest, std::abs(response[k]));
  }
  return error / largest / found.worst_deviation;
}

struct Tally {
  int all = 0;
  int beyond_two = 0;    // standard deviations
  int beyond_three = 0;  // standard deviations

  void add(double error, double deviation) {
    ++all;
    if (std::abs(error) > 2.0 * deviation) ++beyond_two;
    if (std::abs(error) > 3.0 * deviation) ++beyond_three;
  }
};

/// The number that is exceeded once in a thousand times, where each of `all` is beyond with
/// this probability: mean and 3.1 standard deviations, and one for the discreteness.
double most(int all, double probability) {
  const double mean = all * probability;
  return mean + 3.1 * std::sqrt(mean) + 1.0;
}

TEST(IdentifiedTransfer, RecoversEverySimulatedActuatorWithinItsStatedDeviations) {
  Tally delay;
  Tally gain;
  Tally response;
  int right_order = 0;
  for (const Truth& truth : truths()) {
    std::vector<double> frequency;
    const std::vector<Complex> exact = true_response(truth, frequency);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const std::unique_ptr<simulated::ActuatorModel> model = truth.make();
      const IdentifiedTransfer found = estimate_transfer(
          lines_of(*model, 0.002, seed + stream_id(truth.name), 10.0), {});
      delay.add(found.transfer.delay - truth.delay, found.delay_deviation);
      gain.add(found.transfer.gain - truth.gain, found.gain_deviation);
      response.add(response_error(found, frequency, exact), 1.0);
      right_order += found.transfer.order() == truth.order ? 1 : 0;
      EXPECT_LT(found.delay_deviation, 1e-4) << truth.name;
      EXPECT_LT(found.worst_deviation, 1e-3) << truth.name;
      EXPECT_GT(found.lowest_coherence, 0.999) << truth.name;
      EXPECT_NEAR(found.fit_error, 1.0, 0.15) << truth.name;
    }
  }
  for (const Tally& tally : {delay, gain}) {
    EXPECT_LE(tally.beyond_two, most(tally.all, 0.0455));
    EXPECT_LE(tally.beyond_three, most(tally.all, 0.0027));
  }
  EXPECT_LE(response.beyond_three, most(response.all, 0.0027));
  // Schwarz's criterion takes one parameter too many once in about a hundred times.
  EXPECT_GE(right_order, 0.95 * delay.all);
}

TEST(IdentifiedTransfer, TwiceTheNoiseIsTwiceTheDeviation) {
  simulated::LinearActuators model(simulated::second_order_lag(18.0, 0.7, 1.0));
  const IdentifiedTransfer quiet =
      estimate_transfer(lines_of(model, 0.001, 3), {.order = 2});
  const IdentifiedTransfer loud =
      estimate_transfer(lines_of(model, 0.002, 3), {.order = 2});
  EXPECT_NEAR(loud.delay_deviation / quiet.delay_deviation, 2.0, 0.1);
  EXPECT_NEAR(loud.gain_deviation / quiet.gain_deviation, 2.0, 0.1);
}

TEST(IdentifiedTransfer, ShapesThatCannotFitSaySo) {
  simulated::LinearActuators model(math::realise(kThird, "zpk"));
  const IdentifiedTransfer found =
      estimate_transfer(lines_of(model, 1e-4, 1), {.order = 1});
  EXPECT_EQ(found.transfer.order(), 1);
  EXPECT_GT(found.fit_error, 3.0);
  std::vector<double> frequency;
  const std::vector<Complex> exact = true_response(truths()[5], frequency);
  EXPECT_LT(response_error(found, frequency, exact), 3.0);
}

TEST(IdentifiedTransfer, WithoutNoiseItFindsPolesAndZerosThemselves) {
  simulated::LinearActuators model(math::realise(kThird, "zpk"));
  const IdentifiedTransfer found = estimate_transfer(lines_of(model, 0.0, 1), {});
  EXPECT_EQ(found.transfer.order(), 3);
  ASSERT_EQ(found.zeros.size(), 1U);
  EXPECT_NEAR(found.zeros[0].real(), -150.0, 0.01);
  EXPECT_NEAR(found.poles[0].real(), -40.0, 0.01);
  EXPECT_NEAR(std::abs(found.poles[1]), 100.0, 0.01);
  EXPECT_NEAR(found.transfer.delay, 0.0, 1e-6);
}

TEST(IdentifiedTransfer, WhatDoesNotMoveIsNothing) {
  simulated::PureDelay still({.delay = 0.0, .gain = 0.0});
  const FrequencyResponseData lines = lines_of(still, 0.002, 5);
  EXPECT_TRUE(estimate_transfer(lines, {.delay = 0.0, .allow_no_response = true}).nothing);
  simulated::PureDelay moved({.delay = 0.0, .gain = 0.01});
  EXPECT_FALSE(estimate_transfer(lines_of(moved, 0.002, 5),
                                 {.delay = 0.0, .allow_no_response = true})
                   .nothing);
}

TEST(IdentifiedTransfer, ASlowMotionIsLateByDampingOverFrequencyLessHalfATick) {
  simulated::LinearActuators model(simulated::second_order_lag(18.0, 0.7, 1.0));
  const IdentifiedTransfer found = estimate_transfer(lines_of(model, 0.001, 3), {});
  const double expected = 2.0 * 0.7 / (2.0 * std::numbers::pi * 18.0) - 0.5 * kTick;
  EXPECT_NEAR(found.low_frequency_delay, expected, 2e-6);
  // -3 dB of a second-order lag.
  const double a = 1.0 - 2.0 * 0.7 * 0.7;
  EXPECT_NEAR(found.corner, 18.0 * std::sqrt(a + std::sqrt(a * a + 1.0)), 0.2);
}

}  // namespace
}  // namespace trestle::characterisation
