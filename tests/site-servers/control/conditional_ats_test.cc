#include "site-servers/compensators/conditional_ats.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::conditional_ats_test {
namespace {

using compensators::bounded_estimate;
using compensators::ConditionalAts;
using compensators::ConditionalAtsSettings;
using compensators::SeriesCoefficientsPerActuator;
using Range = ConditionalAtsSettings::Range;

constexpr double kTick = 1.0 / 1024.0;
const Eigen::Vector3d kTruth(1.08, 0.021, 3.1e-4);

/// What a rig measures, sampled: smooth, with all of x, x', x'' in it.
double motion(int n) {
  const double t = n * kTick;
  return 0.004 * std::sin(8.0 * t) + 0.003 * std::sin(19.0 * t + 1.0) +
         0.002 * std::sin(37.0 * t + 2.0);
}

/// x, x', x'' of it by central differences.
Eigen::Vector3d row(int n) {
  return {motion(n), (motion(n + 1) - motion(n - 1)) / (2.0 * kTick),
          (motion(n + 1) - 2.0 * motion(n) + motion(n - 1)) / (kTick * kTick)};
}

ConditionalAtsSettings settings() {
  return {.tick = kTick,
          .initial = SeriesCoefficientsPerActuator({{1.0, 0.015, 2e-4}}),
          .filter = {.frequency = 0.0},
          .rate = {1e3, 1e3, 1e3}};
}

/// Ticks in which the rig of the truth answers the commands of its inverse.
void show(ConditionalAts& compensator, int from, int to, double scale = 1.0) {
  for (int n = from; n < to; ++n)
    compensator.command(ActuatorMotion::zero(1),
                        ActuatorVector::Constant(1, scale * motion(n)),
                        ActuatorVector::Constant(1, scale * kTruth.dot(row(n))));
}

TEST(ConditionalAts, CommandsTheSeries) {
  ConditionalAts compensator(1, settings());
  ActuatorMotion target = ActuatorMotion::zero(1);
  target.displacement[0] = 0.003;
  target.velocity[0] = -0.05;
  target.acceleration[0] = 2.0;
  const ActuatorVector rest = ActuatorVector::Zero(1);
  EXPECT_NEAR(compensator.command(target, rest, rest)[0],
              1.0 * 0.003 - 0.015 * 0.05 + 2e-4 * 2.0, 1e-15);
  EXPECT_NEAR(compensator.estimate(0)->delay, 0.015, 1e-15);
  EXPECT_NEAR(compensator.estimate(0)->amplitude, 1.0, 1e-15);
}

TEST(ConditionalAts, StartsFromThePureDelay) {
  const ConditionalAts compensator(1, {.tick = kTick, .expected_delay = 0.02});
  EXPECT_EQ(compensator.coefficients(0), Eigen::Vector3d(1.0, 0.02, 2e-4));
}

TEST(ConditionalAts, FindsTheInverseOfTheRig) {
  for (const double frequency : {0.0, 20.0}) {
    ConditionalAtsSettings it = settings();
    it.filter.frequency = frequency;
    it.residual = 1e-9;
    ConditionalAts compensator(1, it);
    show(compensator, 0, 8000);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(compensator.coefficients(0)[i] / kTruth[i], 1.0,
                  frequency == 0.0 ? 1e-6 : 1e-4)  // the filters start apart
          << i << " with a filter of " << frequency << " Hz";
  }
}

/// Without forgetting the recursion is the least squares with a penalty for leaving the
/// start: (S⁻² + Σ r·rᵀ/σ²)·(a − a_start) = Σ r·(u − rᵀa_start)/σ².
TEST(ConditionalAts, IsTheLeastSquaresWithItsStart) {
  ConditionalAtsSettings it = settings();
  it.spread = {0.1, 0.004, 1e-4};
  it.memory = 1e9;
  it.residual = 2e-3;
  it.decimation = 4;
  ConditionalAts compensator(1, it);
  constexpr int kTicks = 403;
  show(compensator, 0, kTicks);
  const Eigen::Vector3d start(1.0, 0.015, 2e-4);
  const Eigen::Vector3d spread(0.1, 0.004, 1e-4);
  Eigen::Matrix3d left = spread.cwiseAbs2().cwiseInverse().asDiagonal().toDenseMatrix();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (int n = 4; n <= kTicks; n += 4) {  // the row of tick n is the middle of three
    const Eigen::Vector3d r = row(n - 2);
    left += r * r.transpose() / (it.residual * it.residual);
    right += r * ((kTruth - start).dot(r) / (it.residual * it.residual));
  }
  const Eigen::Vector3d expected = start + left.inverse() * right;
  ASSERT_GT((expected - kTruth).cwiseQuotient(kTruth).norm(), 0.01);  // the start counts
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i] / expected[i], 1.0, 1e-6) << i;
}

TEST(ConditionalAts, ForgetsWithItsMemory) {
  ConditionalAtsSettings it = settings();
  it.memory = 0.5;
  ConditionalAts compensator(1, it);
  show(compensator, 0, 4096);
  // The rig's gain falls: u = 1.1·a·row from here on.
  for (int n = 4096; n < 4096 + 6 * 512; ++n)
    compensator.command(ActuatorMotion::zero(1), ActuatorVector::Constant(1, motion(n)),
                        ActuatorVector::Constant(1, 1.1 * kTruth.dot(row(n))));
  // e⁻⁶ of the past is left.
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i] / kTruth[i], 1.1, 0.1 * 0.02) << i;
}

TEST(ConditionalAts, FreezesBelowTheFloorAndWakesAboveIt) {
  ConditionalAtsSettings it = settings();
  it.excitation_floor = 1e-4;
  it.residual = 1e-9;
  ConditionalAts compensator(1, it);
  const Eigen::Vector3d start = compensator.coefficients(0);
  show(compensator, 0, 6000, 0.01);  // at most 0.09 mm
  EXPECT_EQ(compensator.coefficients(0), start);
  show(compensator, 6000, 12000);
  EXPECT_NEAR(compensator.coefficients(0)[1], kTruth[1], 1e-6);
}

/// After motion it goes on for as long as the fading peak is above the floor:
/// 9 mm·e^(−t/1 s) > 0.1 mm for 4.5 s.
TEST(ConditionalAts, FreezesInTheSilenceAfterAMotion) {
  ConditionalAtsSettings it = settings();
  it.excitation_floor = 1e-4;
  ConditionalAts compensator(1, it);
  show(compensator, 0, 6000);
  const auto silence = [&](int ticks) {
    for (int n = 0; n < ticks; ++n)
      compensator.command(ActuatorMotion::zero(1),
                          ActuatorVector::Constant(1, n % 2 == 0 ? 5e-6 : -4e-6),
                          ActuatorVector::Constant(1, 2e-6));
  };
  silence(5 * 1024);
  const Eigen::Vector3d frozen = compensator.coefficients(0);
  silence(20 * 1024);
  EXPECT_EQ(compensator.coefficients(0), frozen);
}

TEST(ConditionalAts, IsNotTouchedByARowThatIsNotFinite) {
  ConditionalAtsSettings it = settings();
  ConditionalAts compensator(1, it);
  show(compensator, 0, 4000);
  const Eigen::Vector3d before = compensator.coefficients(0);
  for (int n = 0; n < 9; ++n)
    compensator.command(ActuatorMotion::zero(1), ActuatorVector::Constant(1, motion(n)),
                        ActuatorVector::Constant(1, std::nan("")));
  EXPECT_EQ(compensator.coefficients(0), before);
  show(compensator, 4000, 8000);
  EXPECT_NEAR(compensator.coefficients(0)[1], kTruth[1], 1e-6);
}

TEST(ConditionalAts, MovesNoFasterThanItsRates) {
  ConditionalAtsSettings it = settings();
  it.rate = {0.02, 5e-4, 1e-5};
  it.residual = 1e-9;
  it.excitation_floor = 0.0;
  ConditionalAts compensator(1, it);
  const Eigen::Vector3d start = compensator.coefficients(0);
  show(compensator, 0, 1024);
  const Eigen::Vector3d moved = compensator.coefficients(0) - start;
  EXPECT_NEAR(moved[0], 0.02, 1e-3);  // upwards, as the truth is above
  EXPECT_NEAR(moved[1], 5e-4, 2e-5);
  EXPECT_NEAR(moved[2], 1e-5, 4e-7);
}

/// The others are then the least squares of u − bound·x' on x and x''.
TEST(ConditionalAts, StaysInsideItsBounds) {
  ConditionalAtsSettings it = settings();
  it.a1 = Range{0.0, 0.018};
  it.memory = 1e9;
  it.residual = 1e-7;
  it.decimation = 1;
  ConditionalAts compensator(1, it);
  constexpr int kTicks = 150;
  show(compensator, 0, kTicks);
  Eigen::Matrix2d left = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  for (int n = 3; n <= kTicks; ++n) {
    const Eigen::Vector3d r = row(n - 2);
    const Eigen::Vector2d rest(r[0], r[2]);
    left += rest * rest.transpose();
    right += rest * (kTruth.dot(r) - 0.018 * r[1]);
  }
  const Eigen::Vector2d expected = left.inverse() * right;
  ASSERT_GT(std::abs(expected[0] - kTruth[0]), 1e-3);  // not what cutting off gives
  EXPECT_NEAR(compensator.coefficients(0)[1], 0.018, 1e-15);
  EXPECT_NEAR(compensator.coefficients(0)[0], expected[0], 1e-5);
  EXPECT_NEAR(compensator.coefficients(0)[2], expected[1], 1e-8);
}

/// Least squares with one coefficient given, from the information Λ = P⁻¹ in place of P:
/// Λ_rr·(θ_r − â_r) = −Λ_rb·(bound − â_b).
TEST(BoundedEstimate, MovesTheOthersToTheirLeastSquares) {
  Eigen::Matrix3d root;
  root << 1.0, 0.0, 0.0, -0.7, 0.5, 0.0, 0.4, 0.3, 0.8;
  const Eigen::Matrix3d covariance = root * root.transpose();
  const Eigen::Matrix3d information = covariance.inverse();
  const Eigen::Vector3d estimate(0.2, -0.3, 1.4);
  const Eigen::Vector3d wide = Eigen::Vector3d::Constant(10.0);
  for (int b = 0; b < 3; ++b) {
    for (const double to : {-1.0, 1.0}) {
      const double bound = estimate[b] + 0.6 * to;
      Eigen::Vector3d lowest = -wide, highest = wide;
      (to > 0.0 ? lowest : highest)[b] = bound;
      const int r = (b + 1) % 3, s = (b + 2) % 3;
      Eigen::Matrix2d rest;
      rest << information(r, r), information(r, s), information(s, r), information(s, s);
      const Eigen::Vector2d moved = -rest.inverse() *
                                    Eigen::Vector2d(information(r, b), information(s, b)) *
                                    (bound - estimate[b]);
      const Eigen::Vector3d found = bounded_estimate(estimate, covariance, lowest, highest);
      EXPECT_NEAR(found[b], bound, 1e-15);
      EXPECT_NEAR(found[r], estimate[r] + moved[0], 1e-12);
      EXPECT_NEAR(found[s], estimate[s] + moved[1], 1e-12);
    }
  }
}

/// With two coefficients given, the third is â − Λ_rb·(bound − â)/Λ_rr.
TEST(BoundedEstimate, MovesTheLastAfterTwoAreBound) {
  Eigen::Matrix3d root;
  root << 1.0, 0.0, 0.0, 0.6, 0.5, 0.0, 0.4, 0.3, 0.8;
  const Eigen::Matrix3d covariance = root * root.transpose();
  const Eigen::Matrix3d information = covariance.inverse();
  const Eigen::Vector3d estimate(3.0, 2.9, 0.3);
  const Eigen::Vector3d lowest = Eigen::Vector3d::Constant(-50.0);
  const Eigen::Vector3d highest(1.0, 1.2, 50.0);
  const Eigen::Vector3d found = bounded_estimate(estimate, covariance, lowest, highest);
  ASSERT_EQ(found.head(2), highest.head(2));
  const double moved =
      -(information(2, 0) * (1.0 - 3.0) + information(2, 1) * (1.2 - 2.9)) /
      information(2, 2);
  EXPECT_NEAR(found[2], estimate[2] + moved, 1e-12);
}

TEST(BoundedEstimate, BindsTheFurthestFirstAndLeavesAnInsideOneAlone) {
  const Eigen::Vector3d low = -Eigen::Vector3d::Ones();
  const Eigen::Vector3d high = Eigen::Vector3d::Ones();
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Identity();
  const Eigen::Vector3d inside(0.5, -0.9, 1.0);
  EXPECT_EQ(bounded_estimate(inside, covariance, low, high), inside);
  // The first is out by 1 with deviation 1, the second by 0.5 with deviation 0.1: the
  // second is bound first, and with it the first comes back inside.
  covariance << 1.0, 0.09, 0.0, 0.09, 0.01, 0.0, 0.0, 0.0, 1.0;
  const Eigen::Vector3d found = bounded_estimate({2.0, 1.5, 0.0}, covariance, low, high);
  EXPECT_NEAR(found[1], 1.0, 1e-15);
  EXPECT_NEAR(found[0], -1.0, 1e-12);  // 2 − 9·0.5 = −2.5, and then its own bound
  // All three outside, no covariance at all: cut off.
  EXPECT_EQ(bounded_estimate({2.0, -3.0, 4.0}, Eigen::Matrix3d::Zero(), low, high),
            Eigen::Vector3d(1.0, -1.0, 1.0));
}

TEST(ConditionalAts, FollowsARigThatChanges) {
  ConditionalAts compensator(1, {.tick = kTick, .expected_delay = 0.010});
  const testing::Track track =
      testing::run(compensator, {.rig = {.delay = 9, .noise = 12e-6},
                                 .changes_at = 5.0,
                                 .later = {.delay = 16, .gain = 0.95, .noise = 12e-6}});
  EXPECT_LT(track.error(3.0, 5.0), 0.03);
  EXPECT_LT(track.error(9.0, 12.0), 0.03);
}

TEST(ConditionalAts, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change) {
    ConditionalAtsSettings broken{.tick = kTick, .expected_delay = 0.012};
    change(broken);
    try {
      ConditionalAts compensator(1, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  refuses("expected_delay", [](auto& it) { it.expected_delay = -0.1; });
  refuses("expected_delay", [](auto& it) {
    it.expected_delay = compensators::PerActuator(std::vector<double>{0.01, 0.02});
  });
  refuses("initial.coefficients", [](auto& it) {
    it.expected_delay = 0.0;
    it.initial = SeriesCoefficientsPerActuator({{0.0, 0.01, 0.0}});
  });
  refuses("spread", [](auto& it) { it.spread = {0.1, 0.0, 1e-5}; });
  refuses("memory", [](auto& it) { it.memory = 2.0 * kTick; });
  refuses("decimation", [](auto& it) { it.decimation = 0; });
  refuses("residual", [](auto& it) { it.residual = 0.0; });
  refuses("excitation_floor", [](auto& it) { it.excitation_floor = -1.0; });
  refuses("filter.frequency", [](auto& it) { it.filter.frequency = 600.0; });
  refuses("a0", [](auto& it) { it.a0 = Range{1.2, 1.1}; });
  refuses("a1", [](auto& it) { it.a1 = Range{0.02, 0.03}; });
  refuses("a2", [](auto& it) { it.a2 = Range{0.0, 1e-6}; });
  refuses("rate", [](auto& it) { it.rate = {1.0, 0.0, 1.0}; });
}

}  // namespace
}  // namespace trestle::conditional_ats_test
