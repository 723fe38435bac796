#include "studies/characterisation/delayed_transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "adapters/simulated/delayed_actuator.h"
#include "core/math/zeros_poles_gain.h"
#include "studies/characterisation/polynomial_roots.h"
#include "tests/studies/characterisation/response_bench.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;
using Roots = std::vector<Complex>;

DelayedTransfer transfer_of(double delay, double gain, Roots poles, Roots zeros) {
  constexpr double kScale = 100.0;
  for (Complex& pole : poles) pole /= kScale;
  for (Complex& zero : zeros) zero /= kScale;
  return {kScale, delay, gain, polynomial_with_roots(poles), polynomial_with_roots(zeros)};
}

/// Largest difference between the formula and what the simulated actuator does from rest to
/// rest, over the gain. The actuator's own rest is what limits it: exp(−2 s·|pole|).
double difference(double delay, const Roots& poles, const Roots& zeros) {
  const DelayedTransfer transfer = transfer_of(delay, 0.8, poles, zeros);
  math::ZerosPolesGain model{zeros, poles, 1.0};
  model.gain = math::static_gain(model, 0.8, "gain");
  simulated::DelayedActuator actuator(delay, math::realise(model, "model"));
  const FrequencyResponseData lines = lines_of(actuator, 0.0, 0, 5.0, 1.0, 100.0);
  const std::vector<Complex> response =
      tick_response(transfer, TickCircle(lines.frequency, lines.tick));
  double largest = 0.0;
  for (std::size_t k = 0; k < response.size(); ++k)
    largest = std::max(largest, std::abs(lines.measured[k] / lines.drive[k] - response[k]));
  return largest / 0.8;
}

TEST(DelayedTransfer, IsWhatAnIdentifiedActuatorDoesFromReadToRead) {
  EXPECT_LT(difference(0.0, {-30.0}, {}), 1e-9);
  EXPECT_LT(difference(0.0123, {-30.0}, {}), 1e-9);
  EXPECT_LT(difference(0.002, {{-80.0, 80.0}, {-80.0, -80.0}}, {-40.0}), 1e-9);
  EXPECT_LT(difference(0.0, {-30.0, -30.0, {-80.0, 80.0}, {-80.0, -80.0}}, {-700.0, -50.0}),
            1e-9);
}

TEST(DelayedTransfer, WithoutOrderOneDelayAndAGainAreLeft) {
  const TickCircle circle({5.0, 40.0}, kTick);
  const std::vector<Complex> response =
      tick_response({.delay = 3.0 * kTick, .gain = 0.5}, circle);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_LT(std::abs(response[k] - 0.5 * std::polar(1.0, -3.0 * circle.theta[k])), 1e-15);
}

TEST(DelayedTransfer, IsStableWhereAllItsRootsAreOnTheLeft) {
  const std::vector<Roots> shapes{{-1.0},
                                  {2.0},
                                  {{-1.0, 5.0}, {-1.0, -5.0}},
                                  {{1.0, 5.0}, {1.0, -5.0}},
                                  {-3.0, {-0.1, 2.0}, {-0.1, -2.0}},
                                  {-3.0, {0.1, 2.0}, {0.1, -2.0}},
                                  {{-2.0, 1.0}, {-2.0, -1.0}, {-0.1, 4.0}, {-0.1, -4.0}},
                                  {{-2.0, 1.0}, {-2.0, -1.0}, {0.1, 4.0}, {0.1, -4.0}}};
  for (const Roots& poles : shapes) {
    const bool left = std::all_of(poles.begin(), poles.end(),
                                  [](const Complex& pole) { return pole.real() < 0.0; });
    EXPECT_EQ(is_stable(transfer_of(0.0, 1.0, poles, {})), left) << poles.front();
  }
}

TEST(PolynomialRoots, AreFoundAgainWithTheirConjugates) {
  const std::vector<Roots> all{{-0.2},
                               {-1e4, -0.5},
                               {{-1.0, 1e3}, {-1.0, -1e3}},
                               {-7.0, {-0.3, 2.0}, {-0.3, -2.0}},
                               {{-2.0, 1.0}, {-2.0, -1.0}, {-0.1, 40.0}, {-0.1, -40.0}}};
  for (const Roots& roots : all) {
    const Roots found = polynomial_roots(polynomial_with_roots(roots));
    ASSERT_EQ(found.size(), roots.size());
    for (const Complex& root : roots) {
      double nearest = 1e9;
      for (const Complex& each : found)
        nearest = std::min(nearest, std::abs(each - root) / std::abs(root));
      EXPECT_LT(nearest, 1e-9) << root;
    }
    for (const Complex& each : found)
      EXPECT_EQ(std::count(found.begin(), found.end(), std::conj(each)), 1);
  }
}

}  // namespace
}  // namespace trestle::characterisation
