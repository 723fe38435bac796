#include "site-servers/controllers/published_sliding_mode.h"

#include <cmath>
#include <sstream>

#include "core/base/setting_rule.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "core/math/riccati.h"
#include "core/math/stabilisability.h"
#include "site-servers/controllers/sliding_surface.h"

namespace trestle::controllers {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kUnmoved = 1e-13;  // of the largest eigenvalue of the Gramian
constexpr double kNotSymmetric = 1e-9;

std::string figure(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// W of A W + W Aᵀ + B Bᵀ = 0, A stable: the Riccati equation without an input.
MatrixXd controllability_gramian(const math::StateSpace& plant) {
  const Index n = plant.states();
  return math::solve_continuous_riccati(
             {plant.A.transpose(), MatrixXd::Zero(n, 1), plant.B * plant.B.transpose(),
              MatrixXd::Identity(1, 1)},
             "plant.model")
      .X;
}

/// Q of ∫ |e|² + q Ẋᵀ W⁻¹ Ẋ dt.
MatrixXd weight_by_energy(const math::StateSpace& plant, double rate_weight) {
  require(rate_weight > 0.0 && std::isfinite(rate_weight), "rate_weight", rate_weight,
          "must be above zero");
  if (!math::is_asymptotically_stable(plant.A, math::TimeDomain::kContinuous))
    throw SettingError("rate_weight",
                       "weighs the energy that moves a plant which is stable by itself; "
                       "this one is not: give surface_weight");
  const MatrixXd W = controllability_gramian(plant);
  const Eigen::VectorXd sizes = math::symmetric_eigen(W).values;
  if (!(sizes(0) > kUnmoved * sizes(sizes.size() - 1)))
    throw SettingError("plant.model",
                       "has a state that no drive moves; leave it out, or give "
                       "surface_weight");
  const Index r = plant.outputs();
  MatrixXd weight = MatrixXd::Identity(r + plant.states(), r + plant.states());
  weight.bottomRightCorner(plant.states(), plant.states()) = rate_weight * math::inverse(W);
  return weight;
}

/// Q as it is given, of the model's own states, turned into those of the balanced model.
MatrixXd given_weight(const PublishedSlidingModeSettings& settings) {
  const math::StateSpace& model = settings.servo.plant.model;
  const MatrixXd& Q = settings.surface_weight;
  const Index r = model.outputs();
  const Index size = r + model.states();
  if (Q.rows() != size || Q.cols() != size)
    throw SettingError("surface_weight",
                       "is " + std::to_string(Q.rows()) + " x " + std::to_string(Q.cols()) +
                           "; give " + std::to_string(size) + " x " + std::to_string(size) +
                           ": the errors first, then the rates of the model's states");
  const double largest = Q.cwiseAbs().maxCoeff();
  if (!Q.allFinite() ||
      !((Q - Q.transpose()).cwiseAbs().maxCoeff() <= kNotSymmetric * largest))
    throw SettingError("surface_weight", "is not finite and symmetric");
  if (!(math::symmetric_eigen(Q).values(0) >= -kNotSymmetric * largest))
    throw SettingError("surface_weight",
                       "has a negative eigenvalue, " +
                           figure(math::symmetric_eigen(Q).values(0)) +
                           "; a weight must not be below zero in any direction");
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(size);
  scales.tail(model.states()) = math::balancing_scales(model).cwiseInverse();
  return scales.asDiagonal() * Q * scales.asDiagonal();
}

ServoSettings checked_servo(const PublishedSlidingModeSettings& settings) {
  if (settings.servo.plant.delay != 0.0)
    throw SettingError("plant.delay",
                       "is " + figure(settings.servo.plant.delay) +
                           " s; the published law knows no delay: leave it out, or use "
                           "law: reaching");
  return settings.servo;
}

/// Poles of the sampled loop without the observer's, which are its own.
void require_decay(const PublishedSlidingModeSettings& settings, const ServoGains& gains) {
  const double tick = settings.servo.tick;
  const math::DiscreteStateSpace plant =
      math::discretise_plant(settings.servo.plant, tick, "plant").system;
  const Index n = plant.A.rows();
  const Index r = plant.B.cols();
  MatrixXd loop = MatrixXd::Identity(n + r, n + r);
  loop.topLeftCorner(n, n) = plant.A - plant.B * gains.state;
  loop.topRightCorner(n, r) = plant.B * gains.integral;
  loop.bottomLeftCorner(r, n) = -tick * plant.C;
  const double radius = math::eigenvalues(loop).cwiseAbs().maxCoeff();
  if (!(radius < 1.0))
    throw SettingError("sliding_tolerance",
                       "and the surface make a loop that is unstable at the control tick "
                       "(spectral radius " +
                           figure(radius) +
                           ", limit 1); raise rate_weight, or lower sliding_tolerance");
}

ServoGains checked_gains(const PublishedSlidingModeSettings& settings) {
  ServoGains gains = published_sliding_gains(settings);
  require_decay(settings, gains);
  return gains;
}

}  // namespace

ServoGains published_sliding_gains(const PublishedSlidingModeSettings& settings) {
  require(settings.tolerance > 0.0 && std::isfinite(settings.tolerance),
          "sliding_tolerance", settings.tolerance, "must be above zero");
  math::discretise_plant(checked_servo(settings).plant, settings.servo.tick, "plant");
  const math::StateSpace model = math::balanced(settings.servo.plant.model);
  const MatrixXd own_weight = settings.surface_weight.size() > 0
                                  ? given_weight(settings)
                                  : weight_by_energy(model, settings.rate_weight);
  const MatrixXd T = drive_coordinates(model);
  const MatrixXd back = math::inverse(T);
  const math::StateSpace plant{T * model.A * back, T * model.B, model.C * back, model.D};
  const Index r = plant.outputs();
  const Index n = plant.states();
  MatrixXd turn = MatrixXd::Identity(r + n, r + n);
  turn.bottomRightCorner(n, n) = back;
  const SlidingSurface surface =
      design_sliding_surface(plant, turn.transpose() * own_weight * turn);
  const double approach =
      fastest_approach(surface, settings.tolerance) * settings.servo.tick;
  require(approach < 2.0, "sliding_tolerance", settings.tolerance,
          "must be below " + figure(2.0 / settings.servo.tick) +
              " 1/s, two over the control tick: the sampled approach to the surface is "
              "unstable beyond");
  const MatrixXd F = sliding_feedback(plant, surface, settings.tolerance);
  return {F.rightCols(n) * T, -F.leftCols(r)};
}

PublishedSlidingMode::PublishedSlidingMode(int actuators,
                                           const PublishedSlidingModeSettings& settings)
    : servo_(actuators, checked_servo(settings), checked_gains(settings)) {}

ActuatorVector PublishedSlidingMode::drive(const ActuatorVector& command,
                                           const Measurement& sensed) noexcept {
  servo_.observe(command, sensed.displacement);
  return servo_.apply(servo_.demand());
}

void PublishedSlidingMode::reset() noexcept {
  servo_.reset();
}

std::optional<LinearControllerModel> PublishedSlidingMode::linearise(
    int /*actuators*/) const {
  return servo_.linearise(0.0);
}

void PublishedSlidingMode::save(SnapshotWriter& snapshot) const {
  servo_.save(snapshot);
}

void PublishedSlidingMode::restore(SnapshotReader& snapshot) {
  servo_.restore(snapshot);
}

}  // namespace trestle::controllers
