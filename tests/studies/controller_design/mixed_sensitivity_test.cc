#include "studies/controller_design/mixed_sensitivity.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "core/base/setting_error.h"
#include "core/math/discretisation.h"
#include "studies/controller_design/bilinear_map.h"

namespace trestle::mixed_sensitivity_test {
namespace {

using controller_design::bilinear_image;
using controller_design::design_mixed_sensitivity;
using controller_design::SensitivityDesign;
using controller_design::SensitivitySettings;
using controller_design::SensitivityWeights;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Complex = std::complex<double>;

constexpr double kTick = 1.0 / 1024.0;
constexpr double kTwoPi = 2.0 * std::numbers::pi;

double largest(const MatrixXcd& response) {
  return response.jacobiSvd().singularValues()[0];
}

Complex error_weight(const SensitivityWeights& it, Complex s) {
  const double omega = kTwoPi * it.bandwidth;
  return (s / it.peak + omega) / (s + omega * it.static_error);
}

Complex drive_weight(const SensitivityWeights& it, Complex s) {
  const double corner = kTwoPi * it.drive_corner;
  return (s + corner) / (s / 100.0 + corner) / it.drive_gain;
}

math::StateSpace siso(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C) {
  return {A, B, C, MatrixXd::Zero(1, 1)};
}

/// Two actuators of second order that move one another, sampled, with one tick of delay.
math::DiscreteStateSpace coupled_rig() {
  MatrixXd A = MatrixXd::Zero(4, 4), B = MatrixXd::Zero(4, 2), C = MatrixXd::Zero(2, 4);
  for (int i = 0; i < 2; ++i) {
    const double omega = kTwoPi * (i == 0 ? 4.0 : 7.0);
    A(2 * i, 2 * i + 1) = 1.0;
    A(2 * i + 1, 2 * i) = -omega * omega;
    A(2 * i + 1, 2 * i + 1) = -2.0 * 0.8 * omega;
    B(2 * i + 1, i) = 0.9 * omega * omega;
    B(2 * i + 1, 1 - i) = 0.12 * omega * omega;
    C(i, 2 * i) = 1.0;
  }
  const math::DiscreteStateSpace held =
      math::discretise({A, B, C, MatrixXd::Zero(2, 2)}, kTick);
  math::DiscreteStateSpace late{MatrixXd::Zero(6, 6), MatrixXd::Zero(6, 2),
                                MatrixXd::Zero(2, 6), MatrixXd::Zero(2, 2), kTick};
  late.A.topLeftCorner(4, 4) = held.A;
  late.A.topRightCorner(4, 2) = held.B;
  late.B.bottomRows(2).setIdentity();
  late.C.leftCols(4) = held.C;
  return late;
}

/// A zero z in the right half-plane: S(z) = 1 whatever the controller, so ‖W₁S‖ >= |W₁(z)|;
/// and that is reached as the drive costs less and less.
TEST(MixedSensitivity, ReachesTheBoundOfAZeroInTheRightHalfPlane) {
  const math::StateSpace plant =
      siso((MatrixXd(2, 2) << 0.0, 1.0, -2.0, -3.0).finished(),
           (MatrixXd(2, 1) << 0.0, 1.0).finished(),
           (MatrixXd(1, 2) << 3.0, -1.0).finished());  // (3 − s)/((s + 1)(s + 2))
  SensitivitySettings settings;
  settings.widest = false;
  settings.weights = {.bandwidth = 1.0 / kTwoPi, .drive_gain = 1e4, .drive_corner = 1e3};
  const double bound = std::abs(error_weight(settings.weights, {3.0, 0.0}));
  const SensitivityDesign design = design_mixed_sensitivity(plant, settings, "hinf");
  EXPECT_GT(design.hinf.least_level, bound * (1.0 - 2e-4));
  EXPECT_LT(design.hinf.least_level, bound * 1.01);
}

/// The bound tells the widest bandwidth, too: (z/peak + ω)/(z + ω·ε) = 1.
TEST(MixedSensitivity, FindsTheWidestBandwidth) {
  const math::StateSpace plant = siso((MatrixXd(2, 2) << 0.0, 1.0, -2.0, -3.0).finished(),
                                      (MatrixXd(2, 1) << 0.0, 1.0).finished(),
                                      (MatrixXd(1, 2) << 3.0, -1.0).finished());
  SensitivitySettings settings;
  settings.weights = {.drive_gain = 1e4, .drive_corner = 1e3};
  const SensitivityDesign design = design_mixed_sensitivity(plant, settings, "hinf");
  const double widest = 3.0 * (1.0 - 0.5) / (1.0 - 1e-3) / kTwoPi;
  EXPECT_LT(design.weights.bandwidth, widest * 1.003);
  EXPECT_GT(design.weights.bandwidth, widest * 0.98);
  EXPECT_NEAR(design.hinf.least_level, 1.0, 5e-3);
  settings.widest = false;
  settings.weights.bandwidth = 1.05 * design.weights.bandwidth;
  EXPECT_GT(design_mixed_sensitivity(plant, settings, "hinf").hinf.least_level, 1.0);
}

/// Of two coupled actuators with a tick of delay, as they are sampled: the loop of the
/// sampled plant with the controller under the bilinear rule is stable, and at every
/// frequency both weighted responses are below the level.
TEST(MixedSensitivity, KeepsItsWeightsInTheSampledLoop) {
  const math::DiscreteStateSpace rig = coupled_rig();
  const SensitivityDesign design =
      design_mixed_sensitivity(bilinear_image(rig), {}, "hinf");
  EXPECT_LE(design.norm, design.hinf.level * (1.0 + 1e-6));
  EXPECT_GT(design.weights.bandwidth, 1.0);
  EXPECT_LT(design.hinf.worst_residual, 1e-7);
  const math::DiscreteStateSpace K =
      math::discretise(design.hinf.controller, kTick, math::Discretisation::kTustin);
  // u[k] = C_K q + D_K (r − y), y = C x.
  const Eigen::Index n = rig.A.rows(), q = K.A.rows();
  MatrixXd loop(n + q, n + q);
  loop << rig.A - rig.B * K.D * rig.C, rig.B * K.C, -K.B * rig.C, K.A;
  EXPECT_LT(loop.eigenvalues().cwiseAbs().maxCoeff(), 1.0);
  double errors = 0.0, drives = 0.0, both = 0.0;
  for (int i = 0; i <= 4000; ++i) {
    const double omega = std::pow(10.0, -3.0 + 6.5 * i / 4000.0);
    if (omega * kTick >= std::numbers::pi) break;
    const Complex z = std::polar(1.0, omega * kTick);
    const Complex s(0.0, 2.0 / kTick * std::tan(0.5 * omega * kTick));
    const MatrixXcd G = math::frequency_response(rig, z);
    const MatrixXcd k = math::frequency_response(K, z);
    const MatrixXcd S = (MatrixXcd::Identity(2, 2) + G * k).inverse();
    MatrixXcd weighted(4, 2);
    weighted << error_weight(design.weights, s) * S,
        drive_weight(design.weights, s) * (k * S);
    both = std::max(both, largest(weighted));
    errors = std::max(errors, largest(S));
    drives = std::max(drives, largest(k * S));
  }
  EXPECT_LE(both, design.hinf.level * (1.0 + 1e-6));
  EXPECT_NEAR(both / design.norm, 1.0, 2e-3);
  EXPECT_NEAR(errors / design.error_peak, 1.0, 2e-3);
  EXPECT_NEAR(drives / design.drive_peak, 1.0, 2e-3);
  EXPECT_LT(errors, 2.0 * 1.03);
  EXPECT_LT(drives, 10.0 * 1.03);
  // A target at rest is reached but for the static error.
  const MatrixXcd at_rest =
      MatrixXcd::Identity(2, 2) +
      math::frequency_response(rig, {1.0, 0.0}) * math::frequency_response(K, {1.0, 0.0});
  EXPECT_LT(largest(at_rest.inverse()), 1.03e-3);
}

/// G = (s + 4)/(2·(s + 1)): half of a drive is read at once.
math::StateSpace direct_plant() {
  return {-MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1),
          MatrixXd::Constant(1, 1, 1.5), MatrixXd::Constant(1, 1, 0.5)};
}

/// w = r, v = r − G·u, z = (W₁·v; W₂·u), also for a weight with a large static error and a
/// plant with feedthrough.
TEST(MixedSensitivity, WeighsErrorsAndDrives) {
  const SensitivityWeights weights{.bandwidth = 2.0,
                                   .static_error = 0.4,
                                   .peak = 1.5,
                                   .drive_gain = 3.0,
                                   .drive_corner = 5.0};
  const controller_design::GeneralisedPlant weighted =
      controller_design::mixed_sensitivity_plant(direct_plant(), weights);
  MatrixXd B(weighted.A.rows(), 2), C(3, weighted.A.rows()), D(3, 2);
  B << weighted.B1, weighted.B2;
  C << weighted.C1, weighted.C2;
  D << weighted.D11, weighted.D12, weighted.D21, weighted.D22;
  for (const double omega : {0.0, 1.0, 12.0, 400.0, 1e5}) {
    const Complex s(0.0, omega);
    const Complex G = (s + 4.0) / (2.0 * (s + 1.0));
    MatrixXcd expected(3, 2);
    expected << error_weight(weights, s), -error_weight(weights, s) * G, 0.0,
        drive_weight(weights, s), 1.0, -G;
    const MatrixXcd response =
        math::frequency_response(math::StateSpace{weighted.A, B, C, D}, s);
    EXPECT_LT((response - expected).norm(), 1e-9 * expected.norm()) << omega;
  }
}

TEST(MixedSensitivity, TellsThePeaksOfALoopWithFeedthrough) {
  SensitivitySettings settings;
  settings.widest = false;
  settings.weights = {.bandwidth = 3.0, .drive_corner = 10.0};
  const SensitivityDesign design =
      design_mixed_sensitivity(direct_plant(), settings, "hinf");
  double errors = 0.0, drives = 0.0;
  for (int i = 0; i <= 4000; ++i) {
    const Complex s(0.0, std::pow(10.0, -3.0 + 9.0 * i / 4000.0));
    const Complex G = (s + 4.0) / (2.0 * (s + 1.0));
    const Complex K = math::frequency_response(design.hinf.controller, s)(0, 0);
    errors = std::max(errors, std::abs(1.0 / (1.0 + G * K)));
    drives = std::max(drives, std::abs(K / (1.0 + G * K)));
  }
  EXPECT_NEAR(errors / design.error_peak, 1.0, 2e-3);
  EXPECT_NEAR(drives / design.drive_peak, 1.0, 2e-3);
}

/// Weights whose poles are at rest to within rounding: of some the loop is not stable, as
/// far as its eigenvalues can be computed.
TEST(MixedSensitivity, NamesThePlaceWhereALoopIsNotStable) {
  const math::StateSpace rig = bilinear_image(coupled_rig());
  SensitivitySettings settings;
  settings.widest = false;
  for (double error = 1e-14; error > 1e-30; error *= 1e-2) {
    settings.weights.static_error = error;
    try {
      design_mixed_sensitivity(rig, settings, "hinf");
    } catch (const SettingError& refusal) {
      EXPECT_EQ(refusal.problems().front().path, "hinf") << error;
    }
  }
}

TEST(MixedSensitivity, RefusesWhatCannotWork) {
  const math::StateSpace plant =
      siso(-MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1));
  const auto refusal = [&](auto change) -> std::string {
    SensitivitySettings settings;
    change(settings);
    try {
      design_mixed_sensitivity(plant, settings, "hinf");
      return "nothing";
    } catch (const SettingError& error) {
      return error.problems().front().path;
    }
  };
  EXPECT_EQ(refusal([](auto& it) { it.weights.bandwidth = 0.0; }), "hinf.bandwidth");
  EXPECT_EQ(refusal([](auto& it) { it.weights.static_error = 2.0; }), "hinf.static_error");
  EXPECT_EQ(refusal([](auto& it) { it.weights.peak = 1.0; }), "hinf.peak");
  EXPECT_EQ(refusal([](auto& it) { it.weights.drive_gain = -1.0; }), "hinf.drive_gain");
  EXPECT_EQ(refusal([](auto& it) { it.weights.drive_corner = 0.0; }), "hinf.drive_corner");
  EXPECT_EQ(refusal([](auto& it) { it.excess = 1.0; }), "hinf.excess");
  // An error of a thousandth needs a drive of about the target: not allowed here.
  EXPECT_EQ(refusal([](auto& it) { it.weights.drive_gain = 0.5; }), "hinf");
  EXPECT_EQ(refusal([](auto& it) { it.weights.static_error = 0.5; }), "nothing");
}

}  // namespace
}  // namespace trestle::mixed_sensitivity_test
