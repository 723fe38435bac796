#include "studies/controller_design/mixed_sensitivity.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "studies/controller_design/hinf_norm.h"

namespace trestle::controller_design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kRollOff = 100.0;      // of W₂
constexpr double kSlowest = 1e-2;       // of the bandwidths that are tried [Hz]
constexpr double kFastest = 1e4;        // likewise [Hz]
constexpr double kOfBandwidth = 1.002;  // relative accuracy

/// One output of first order, a + b/(s + c).
struct FirstOrder {
  double direct, residue, corner;
};

FirstOrder error_weight(const SensitivityWeights& it) {
  const double omega = kTwoPi * it.bandwidth;
  return {1.0 / it.peak, omega * (1.0 - it.static_error / it.peak),
          omega * it.static_error};
}

FirstOrder drive_weight(const SensitivityWeights& it) {
  const double corner = kRollOff * kTwoPi * it.drive_corner;
  const double direct = kRollOff / it.drive_gain;
  return {direct, direct * corner * (1.0 / kRollOff - 1.0), corner};
}

void check_weights(const SensitivitySettings& settings, const std::string& path) {
  const SensitivityWeights& it = settings.weights;
  const auto check = [&](bool holds, const char* field, double value, const char* right) {
    if (!holds)
      throw SettingError(path + "." + field,
                         std::string(field) + " is " + in_words(value) + "; " + right);
  };
  check(it.bandwidth > 0.0 && std::isfinite(it.bandwidth), "bandwidth", it.bandwidth,
        "must be above zero");
  check(it.static_error > 0.0 && it.static_error <= 1.0, "static_error", it.static_error,
        "must be above zero and at most one");
  check(it.peak > 1.0 && std::isfinite(it.peak), "peak", it.peak, "must be above one");
  check(it.drive_gain > 0.0 && std::isfinite(it.drive_gain), "drive_gain", it.drive_gain,
        "must be above zero");
  check(it.drive_corner > 0.0 && std::isfinite(it.drive_corner), "drive_corner",
        it.drive_corner, "must be above zero");
  check(settings.excess > 1.0 && std::isfinite(settings.excess), "excess", settings.excess,
        "must be above one");
}

HinfController synthesised(const math::StateSpace& plant, const SensitivityWeights& weights,
                           double excess, const std::string& path) {
  return synthesise_hinf(mixed_sensitivity_plant(plant, weights), {.excess = excess}, path);
}

/// The widest bandwidth whose least level is one.
double widest_bandwidth(const math::StateSpace& plant, SensitivityWeights weights,
                        const std::string& path) {
  const auto level = [&](double bandwidth) {
    weights.bandwidth = bandwidth;
    return synthesised(plant, weights, 1.02, path).least_level;
  };
  double met = kSlowest;
  if (const double least = level(met); least > 1.0)
    throw SettingError(path, "no bandwidth meets the weights: even " + in_words(kSlowest) +
                                 " Hz exceeds them by a factor of " + in_words(least) +
                                 "; raise drive_gain, drive_corner, peak or static_error");
  double missed = 10.0 * met;
  while (missed < kFastest && level(missed) <= 1.0) {
    met = missed;
    missed *= 10.0;
  }
  while (missed > kOfBandwidth * met) {
    const double middle = std::sqrt(met * missed);
    (level(middle) <= 1.0 ? met : missed) = middle;
  }
  return met;
}

/// S and K·S of the loop: r to e and r to u.
GeneralisedPlant without_weights(const math::StateSpace& plant, bool errors) {
  const Index n = plant.outputs();
  const MatrixXd unit = MatrixXd::Identity(n, n);
  const MatrixXd none = MatrixXd::Zero(n, n);
  return {plant.A,
          MatrixXd::Zero(plant.states(), n),
          plant.B,
          errors ? MatrixXd(-plant.C) : MatrixXd::Zero(n, plant.states()),
          -plant.C,
          errors ? unit : none,
          errors ? MatrixXd(-plant.D) : unit,
          unit,
          -plant.D};
}

/// Of the loop with K.
double loop_norm(const GeneralisedPlant& plant, const math::StateSpace& K,
                 const std::string& path) {
  try {
    return hinf_norm(closed_loop(plant, K)).gain;
  } catch (const SettingError&) {
    throw SettingError(path,
                       "the loop of the controller that was found is not stable, to "
                       "within rounding; take weights nearer to their defaults, "
                       "static_error first");
  }
}

}  // namespace

GeneralisedPlant mixed_sensitivity_plant(const math::StateSpace& plant,
                                         const SensitivityWeights& weights) {
  const FirstOrder w1 = error_weight(weights);
  const FirstOrder w2 = drive_weight(weights);
  const Index g = plant.states(), n = plant.outputs();
  const MatrixXd unit = MatrixXd::Identity(n, n);
  GeneralisedPlant it;
  // States: the plant, the error weights, the drive weights.
  it.A = MatrixXd::Zero(g + 2 * n, g + 2 * n);
  it.A.topLeftCorner(g, g) = plant.A;
  it.A.block(g, 0, n, g) = -plant.C;
  it.A.block(g, g, n, n) = -w1.corner * unit;
  it.A.block(g + n, g + n, n, n) = -w2.corner * unit;
  it.B1 = MatrixXd::Zero(g + 2 * n, n);
  it.B1.middleRows(g, n) = unit;
  it.B2.resize(g + 2 * n, n);
  it.B2 << plant.B, -plant.D, unit;
  it.C1 = MatrixXd::Zero(2 * n, g + 2 * n);
  it.C1.topLeftCorner(n, g) = -w1.direct * plant.C;
  it.C1.block(0, g, n, n) = w1.residue * unit;
  it.C1.block(n, g + n, n, n) = w2.residue * unit;
  it.D11 = MatrixXd::Zero(2 * n, n);
  it.D11.topRows(n) = w1.direct * unit;
  it.D12.resize(2 * n, n);
  it.D12 << -w1.direct * plant.D, w2.direct * unit;
  it.C2 = MatrixXd::Zero(n, g + 2 * n);
  it.C2.leftCols(g) = -plant.C;
  it.D21 = unit;
  it.D22 = -plant.D;
  return it;
}

SensitivityDesign design_mixed_sensitivity(const math::StateSpace& plant,
                                           const SensitivitySettings& settings,
                                           const std::string& path) {
  check_weights(settings, path);
  if (plant.inputs() != plant.outputs() || plant.outputs() == 0)
    throw SettingError(path, "the plant has " + std::to_string(plant.inputs()) +
                                 " drives and " + std::to_string(plant.outputs()) +
                                 " displacements; the design needs as many of both");
  SensitivityDesign design;
  design.weights = settings.weights;
  if (settings.widest)
    design.weights.bandwidth = widest_bandwidth(plant, settings.weights, path);
  const GeneralisedPlant weighted = mixed_sensitivity_plant(plant, design.weights);
  design.hinf = synthesise_hinf(weighted, {.excess = settings.excess}, path);
  const math::StateSpace& K = design.hinf.controller;
  design.norm = loop_norm(weighted, K, path);
  design.error_peak = loop_norm(without_weights(plant, true), K, path);
  design.drive_peak = loop_norm(without_weights(plant, false), K, path);
  return design;
}

}  // namespace trestle::controller_design
