#include "studies/characterisation/sampled_plant.h"

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

namespace trestle::sampled_plant_test {
namespace {

using characterisation::CharacteriseReport;
using characterisation::DelayedTransfer;
using characterisation::sampled_plant;
using characterisation::sampled_transfer;

constexpr double kTick = 1.0 / 1024.0;

/// The response that identification fits, one tick later.
std::complex<double> expected(const DelayedTransfer& transfer, double frequency) {
  const characterisation::TickCircle circle({frequency}, kTick);
  return characterisation::tick_response(transfer, circle)[0] / circle.z[0];
}

std::complex<double> point(double frequency) {
  return std::polar(1.0, 2.0 * std::numbers::pi * frequency * kTick);
}

TEST(SampledPlant, AnswersAsTheIdentifiedTransferOneTickLater) {
  for (const double delay : {0.0, 0.4 * kTick, 1.0 * kTick, 7.3 * kTick}) {
    const DelayedTransfer gain{.delay = delay, .gain = 0.9};
    const DelayedTransfer first{
        .scale = 100.0, .delay = delay, .gain = 0.95, .denominator = {1.2}};
    const DelayedTransfer second{.scale = 60.0,
                                 .delay = delay,
                                 .gain = 1.1,
                                 .denominator = {1.3, 0.8},
                                 .numerator = {0.4}};
    for (const DelayedTransfer& transfer : {gain, first, second})
      for (const double frequency : {0.0, 0.7, 12.0, 150.0, 400.0})
        EXPECT_LT(std::abs(math::frequency_response(sampled_transfer(transfer, kTick),
                                                    point(frequency))(0, 0) -
                           expected(transfer, frequency)),
                  1e-10)
            << transfer.order() << " poles, " << delay << " s, " << frequency << " Hz";
  }
}

TEST(SampledPlant, PutsEveryPathInItsPlace) {
  CharacteriseReport report;
  report.actuators.resize(2);
  report.actuators[0].transfer.transfer = {
      .scale = 100.0, .delay = 2e-3, .gain = 1.0, .denominator = {1.0}};
  report.actuators[1].transfer.transfer = {.delay = 1e-3, .gain = 0.8};
  characterisation::CouplingFinding coupling{.to = 1, .from = 0};
  coupling.transfer.transfer = {
      .scale = 50.0, .delay = 2e-3, .gain = 0.1, .denominator = {1.0}};
  report.coupling.push_back(coupling);
  characterisation::CouplingFinding none{.to = 0, .from = 1};
  none.transfer.nothing = true;
  report.coupling.push_back(none);
  const math::DiscreteStateSpace plant = sampled_plant(report, kTick);
  for (const double frequency : {0.5, 30.0}) {
    const Eigen::MatrixXcd response = math::frequency_response(plant, point(frequency));
    EXPECT_LT(std::abs(response(0, 0) -
                       expected(report.actuators[0].transfer.transfer, frequency)),
              1e-10);
    EXPECT_LT(std::abs(response(1, 1) -
                       expected(report.actuators[1].transfer.transfer, frequency)),
              1e-10);
    EXPECT_LT(std::abs(response(1, 0) - expected(coupling.transfer.transfer, frequency)),
              1e-10);
    EXPECT_EQ(std::abs(response(0, 1)), 0.0);
  }
}

}  // namespace
}  // namespace trestle::sampled_plant_test
