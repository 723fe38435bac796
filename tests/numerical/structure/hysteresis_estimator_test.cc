#include "numerical/materials/hysteresis_estimator.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "numerical/materials/bilinear_law.h"

namespace trestle::materials {
namespace {

constexpr double kStiffness = 2e6, kYield = 30e3, kHardening = 0.1;

HysteresisEstimatorSettings settings(bool bilinear = false) {
  return {.law = {.stiffness = kStiffness, .yield_force = kYield, .hardening = kHardening},
          .bilinear = bilinear,
          .time_step = 0.01,
          .force_noise = 0.02 * kYield};
}

double normal(std::uint32_t stream, std::uint64_t index) {
  return standard_normal({.seed = 6, .stream = stream, .channel = 0, .index = index});
}

/// Several times the yield displacement, 0.015 m, with other phases in each trial.
double motion(int k, int trial) {
  double sum = 0.0;
  for (int i = 0; i < 6; ++i)
    sum += std::sin((0.08 + 0.05 * i) * k +
                    2.0 * std::numbers::pi * std::fmod(0.618 * (7 * trial + i), 1.0));
  return 0.015 * std::min(1.0, k / 100.0) * sum;
}

struct Truth {
  std::array<double, 3> logarithm;  // of each number over its start
  BoucWenLaw law() const {
    return BoucWenLaw({.stiffness = std::exp(logarithm[0]) * kStiffness,
                       .yield_force = std::exp(logarithm[1]) * kYield,
                       .hardening = std::exp(logarithm[2]) * kHardening});
  }
  std::unique_ptr<RestoringForce> specimen(bool bilinear) const {
    const BoucWenLawSettings is = law().settings();
    if (!bilinear) return std::make_unique<BoucWenLaw>(is);
    return std::make_unique<BilinearLaw>(
        BilinearLawSettings{is.stiffness, is.yield_force, is.hardening});
  }
};

std::array<double, 3> logarithms(const HysteresisEstimator& of) {
  const LawFactors found = of.factors();
  return {std::log(found.stiffness), std::log(found.yield_force),
          std::log(found.hardening)};
}

/// Issue: each known number inside its interval of 95 % in 95 % ± 3 % of 500 tests. The
/// numbers are drawn as the filter expects them. Of 500 the share has a standard deviation
/// of 1 %. A knee without width costs the bilinear law a part of the bound: of 4000 tests
/// 93.6 to 94.1 % are inside, so that 500 would say more of these 500 than of the filter.
class HysteresisEstimatorOf : public ::testing::TestWithParam<bool> {};

TEST_P(HysteresisEstimatorOf, KnowsHowSureItIs) {
  const int tests = GetParam() ? 2000 : 500;
  std::array<int, 3> inside{};
  for (int trial = 0; trial < tests; ++trial) {
    Truth truth{};
    for (std::uint32_t i = 0; i < 3; ++i)
      truth.logarithm[i] = 0.2 * normal(1 + i, static_cast<std::uint64_t>(trial));
    const auto law = truth.specimen(GetParam());
    HysteresisEstimator estimator(settings(GetParam()));
    for (int k = 1; k <= 300; ++k) {
      const double d = motion(k, trial);
      const double noise =
          0.02 * kYield *
          normal(10 + static_cast<std::uint32_t>(trial), static_cast<std::uint64_t>(k));
      estimator.observe(d, law->advance(d) + noise);
    }
    const std::array<double, 3> found = logarithms(estimator);
    for (std::size_t i = 0; i < 3; ++i)
      inside[i] += std::abs(found[i] - truth.logarithm[i]) <
                   1.96 * estimator.deviation(static_cast<int>(i));
  }
  for (const int count : inside) EXPECT_NEAR(count, 0.95 * tests, 0.03 * tests);
}

TEST_P(HysteresisEstimatorOf, FindsTheNumbersThatHardlyAnyNoiseHides) {
  const Truth truth{{std::log(0.8), std::log(1.25), std::log(0.7)}};
  const auto law = truth.specimen(GetParam());
  HysteresisEstimatorSettings quiet = settings(GetParam());
  quiet.force_noise = 1e-3 * kYield;
  HysteresisEstimator estimator(quiet);
  for (int k = 1; k <= 600; ++k) {
    const double d = motion(k, 1);
    estimator.observe(d, law->advance(d));
  }
  EXPECT_NEAR(estimator.factors().stiffness, 0.8, 0.002);
  EXPECT_NEAR(estimator.factors().yield_force, 1.25, 0.002);
  EXPECT_NEAR(estimator.factors().hardening, 0.7, 0.01);
  EXPECT_NEAR(estimator.innovation(), 0.0, 0.003 * kYield);
  for (int i = 0; i < 3; ++i) EXPECT_LT(estimator.deviation(i), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Laws, HysteresisEstimatorOf, ::testing::Bool(),
                         [](const auto& info) -> std::string {
                           return info.param ? "Bilinear" : "BoucWen";
                         });

/// As long as nothing yields, f = k·d, d known: the filter is that of a straight line,
/// whose variance is 1/(1/s² + Σ d²/σ²) of k, here of ln k. Yield force and hardening stay
/// unknown.
TEST(HysteresisEstimator, IsARegressionWhileNothingYields) {
  HysteresisEstimatorSettings settings_of_small = settings();
  settings_of_small.spread = {0.01, 0.0, 0.0};
  settings_of_small.law.yield_force = 1e3 * kYield;
  settings_of_small.force_noise = 100.0;
  HysteresisEstimator estimator(settings_of_small);
  double information = 1.0 / (0.01 * 0.01), sum = 0.0;
  for (int k = 1; k <= 50; ++k) {
    const double d = 1e-3 * std::sin(0.3 * k);
    const double f =
        1.01 * kStiffness * d + 100.0 * normal(2, static_cast<std::uint64_t>(k));
    estimator.observe(d, f);
    information += std::pow(kStiffness * d / 100.0, 2);
    sum += (f / (kStiffness * d) - 1.0) * std::pow(kStiffness * d / 100.0, 2);
  }
  EXPECT_NEAR(estimator.deviation(0), std::sqrt(1.0 / information),
              0.02 * std::sqrt(1.0 / information));
  EXPECT_NEAR(std::log(estimator.factors().stiffness), sum / information, 2e-4);
  EXPECT_EQ(estimator.factors().yield_force, 1.0);
  EXPECT_EQ(estimator.factors().hardening, 1.0);
}

TEST(HysteresisEstimator, StaysInsideItsBoundsAndPassesOverWhatIsNoNumber) {
  const Truth truth{{std::log(0.4), std::log(2.5), 0.0}};
  BoucWenLaw law = truth.law();
  HysteresisEstimatorSettings bounded = settings();
  bounded.lowest = 0.8;
  bounded.highest = 1.2;
  HysteresisEstimator estimator(bounded);
  for (int k = 1; k <= 300; ++k) {
    const double d = motion(k, 2);
    estimator.observe(d, law.advance(d));
    const LawFactors found = estimator.factors();
    for (const double factor : {found.stiffness, found.yield_force, found.hardening}) {
      ASSERT_GE(factor, 0.8 - 1e-12) << k;
      ASSERT_LE(factor, 1.2 + 1e-12) << k;
    }
  }
  EXPECT_NEAR(estimator.factors().stiffness, 0.8, 1e-12);
  const double before = estimator.factors().yield_force;
  estimator.observe(std::nan(""), 1.0);
  estimator.observe(1.0, INFINITY);
  EXPECT_EQ(estimator.factors().yield_force, before);
  estimator.observe(1e6, 1e6);  // a jump beyond every knee
  EXPECT_TRUE(std::isfinite(estimator.factors().yield_force));
}

/// At rest nothing is learnt and nothing is forgotten, unless a drift is asked for.
TEST(HysteresisEstimator, KeepsWhatItKnowsAtRestUnlessNumbersDrift) {
  for (const double drift : {0.0, 0.1}) {
    HysteresisEstimatorSettings drifting = settings();
    drifting.drift = drift;
    HysteresisEstimator estimator(drifting);
    for (int k = 0; k < 100; ++k) estimator.observe(0.0, 0.0);
    EXPECT_NEAR(estimator.deviation(1), std::sqrt(0.04 + drift * drift * 1.0), 1e-9);
  }
}

TEST(HysteresisEstimator, TakesNoiseOfTheDisplacementForNoiseOfTheForce) {
  HysteresisEstimatorSettings noisy = settings();
  noisy.displacement_noise = 1e-3;  // k times that is 2 kN, beside 600 N
  HysteresisEstimatorSettings loud = settings();
  loud.force_noise = std::hypot(0.02 * kYield, 2e3);
  HysteresisEstimator one(noisy), other(loud);
  BoucWenLaw law(settings().law);
  for (int k = 1; k <= 5; ++k) {
    const double d = motion(k, 3);
    const double f = law.advance(d);
    one.observe(d, f);
    other.observe(d, f);
  }
  EXPECT_NEAR(one.deviation(0), other.deviation(0), 1e-3 * other.deviation(0));
}

TEST(HysteresisEstimator, GoesOnFromASnapshotAndBeginsAgainToTheBit) {
  BoucWenLaw law(settings().law);
  const auto observe = [&law](HysteresisEstimator& it, int k, double force) {
    it.observe(motion(k, 4), force);
    return it.factors().yield_force;
  };
  HysteresisEstimator one(settings());
  std::array<double, 60> force{};
  for (int k = 1; k < 60; ++k)
    force[static_cast<std::size_t>(k)] = 1.1 * law.advance(motion(k, 4));
  const double first = observe(one, 1, force[1]);
  for (int k = 2; k < 40; ++k) observe(one, k, force[static_cast<std::size_t>(k)]);
  SnapshotWriter writer;
  one.save(writer);
  HysteresisEstimator other(settings());
  SnapshotReader reader(writer.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int k = 40; k < 60; ++k)
    EXPECT_EQ(observe(one, k, force[static_cast<std::size_t>(k)]),
              observe(other, k, force[static_cast<std::size_t>(k)]));
  one.reset();
  EXPECT_EQ(observe(one, 1, force[1]), first);
}

TEST(HysteresisEstimator, RefusesASettingThatCannotWork) {
  const auto refused = [](auto change) -> std::string {
    HysteresisEstimatorSettings broken = settings();
    change(broken);
    try {
      HysteresisEstimator estimator(broken);
    } catch (const SettingError& error) {
      return error.problems().front().path;
    }
    return "";
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& it) { it.force_noise = 0.0; }), "force_noise");
  EXPECT_EQ(refused([](auto& it) { it.displacement_noise = -1.0; }), "displacement_noise");
  EXPECT_EQ(refused([](auto& it) { it.lowest = 1.1; }), "lowest");
  EXPECT_EQ(refused([](auto& it) { it.highest = 0.9; }), "highest");
  EXPECT_EQ(refused([](auto& it) { it.drift = -1.0; }), "drift");
  EXPECT_EQ(refused([](auto& it) { it.spread[1] = -0.1; }), "spread.yield_force");
  EXPECT_EQ(refused([](auto& it) { it.law.hardening = 0.0; }), "spread.hardening");
}

}  // namespace
}  // namespace trestle::materials
