#include "core/evaluation/instability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace trestle::evaluation::instability_test {
namespace {

std::vector<double> signal(int rows, const std::function<double(int)>& at) {
  std::vector<double> values;
  for (int k = 0; k < rows; ++k) values.push_back(at(k));
  return values;
}

TEST(GrowsSteadily, KnowsAnUnstableLoop) {
  // Of few samples a period the peaks scatter: growth must be larger to be seen.
  for (const auto& [period, per_half] : {std::pair{2.0, 1.08},
                                         {2.0, 3.0},
                                         {7.3, 1.5},
                                         {7.3, 3.0},
                                         {60.0, 1.08},
                                         {60.0, 1.5}})
    EXPECT_TRUE(grows_steadily(signal(static_cast<int>(12.0 * period),
                                      [period = period, per_half = per_half](int k) {
                                        return 1e-3 * std::pow(per_half, 2.0 * k / period) *
                                               std::sin(2.0 * M_PI * (k + 0.25) / period);
                                      })))
        << period << " " << per_half;
}

TEST(GrowsSteadily, IsNoResonance) {
  for (const int cycles : {6, 10, 30})
    EXPECT_FALSE(grows_steadily(signal(cycles * 50, [](int k) {
      return k * std::sin(2.0 * M_PI * k / 50.0);
    }))) << cycles;
}

TEST(GrowsSteadily, IsNoSteadyOscillationNorADecayNorSilence) {
  EXPECT_FALSE(grows_steadily(signal(1000, [](int k) { return std::sin(0.1 * k); })));
  EXPECT_FALSE(grows_steadily(
      signal(1000, [](int k) { return std::exp(-0.01 * k) * std::sin(0.1 * k); })));
  EXPECT_FALSE(grows_steadily(std::vector<double>(1000, 0.0)));
  EXPECT_FALSE(grows_steadily({}));
}

// The beginning of an earthquake: noise under a rising envelope, through a light
// oscillator.
TEST(GrowsSteadily, IsNoBeginningOfAnEarthquake) {
  int taken = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> noise;
    double x = 0.0, v = 0.0;
    const std::vector<double> response = signal(1500, [&](int k) {
      constexpr double kStep = 0.002, kOmega = 12.0;
      const double a =
          std::pow(k / 1500.0, 2) * noise(engine) - kOmega * kOmega * x - 0.04 * kOmega * v;
      v += kStep * a;
      x += kStep * v;
      return x;
    });
    for (const std::size_t end : {500U, 900U, 1200U, 1500U})
      taken += grows_steadily({response.data(), end}) ? 1 : 0;
  }
  EXPECT_LE(taken, 4);  // of 800
}

bool shows(const std::vector<double>& target, const std::vector<double>& measured) {
  RunHistory history(3, target.size());
  for (std::size_t k = 0; k < target.size(); ++k) {
    const double row[] = {target[k], measured[k], 0.0};
    history.add(row);
  }
  CriteriaColumns columns;
  columns.actuators = {{"a", 0, 1, 2}};
  return shows_instability(history, columns);
}

TEST(ShowsInstability, KnowsAControlThatRunsAwayFromSmallTargets) {
  const auto target = signal(2000, [](int k) {
    return k < 1000 ? std::sin(0.05 * k) : 1e-3 * std::sin(0.05 * k);
  });
  auto measured = target;
  EXPECT_FALSE(shows(target, measured));
  for (std::size_t k = 1900; k < 2000; ++k) measured[k] += 0.02 * double(k - 1900);
  EXPECT_TRUE(shows(target, measured));
}

TEST(ShowsInstability, IsNoNoiseBesideTargetsThatHardlyMove) {
  std::mt19937 engine(1);
  std::normal_distribution<double> noise;
  const auto target = signal(300, [](int k) { return 1e-6 * k; });
  auto measured = target;
  for (double& value : measured) value += 1e-3 * noise(engine);
  EXPECT_FALSE(shows(target, measured));
}

TEST(ShowsInstability, IsNoLateActuator) {
  const auto at = [](int k) {
    return std::exp(1e-3 * k) * std::sin(0.05 * k) * std::sin(0.011 * k);
  };
  EXPECT_FALSE(shows(signal(1500, at), signal(1500, [&](int k) { return at(k - 40); })));
}

TEST(RanAway, ComparesTheRefusedDriveWithTheTargets) {
  const auto targets = signal(100, [](int k) { return 5e-3 * std::sin(0.1 * k); });
  EXPECT_TRUE(ran_away(targets, -62e-3));
  EXPECT_FALSE(ran_away(targets, 5.1e-3));
  EXPECT_FALSE(ran_away({}, 1.0));
}

}  // namespace
}  // namespace trestle::evaluation::instability_test
