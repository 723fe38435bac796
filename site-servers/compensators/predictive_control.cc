#include "site-servers/compensators/predictive_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/base/setting_checks.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"

namespace trestle::compensators {

/// What the constructor derives from the settings.
struct PredictiveControl::Design {
  math::PlantModel plant;     // with the disturbance as its last states
  int ticks = 1;              // b of a move
  Eigen::MatrixXd hessian{};  // H
  Eigen::MatrixXd by_state{};
  Eigen::MatrixXd by_command{};
  Eigen::MatrixXd by_target{};
  Eigen::MatrixXd at_rest{};
};

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kLongestHorizon = 256.0;  // [ticks]
constexpr int kMostSolverIterations = 1000;
constexpr double kSingularGain = 1e-13;
constexpr double kLeastSize = 1e-10;  // of an eigenvalue of H over the largest

void check_predictive_settings(int actuators, const PredictiveControlSettings& settings) {
  require(settings.moves >= 1 && settings.moves <= LimitedPath::kMostKnots, "moves",
          settings.moves, "must be from 1 to " + std::to_string(LimitedPath::kMostKnots));
  require(settings.horizon > 0.0 && settings.horizon <= kLongestHorizon * settings.tick,
          "horizon", settings.horizon,
          "must be above zero, and at most " +
              std::to_string(kLongestHorizon * settings.tick) + " s, 256 control ticks");
  require_above_zero(settings.drift, "drift");
  require_above_zero(settings.change_weight, "change_weight");
  require(settings.iterations >= 1 && settings.iterations <= kMostSolverIterations,
          "iterations", settings.iterations,
          "must be from 1 to " + std::to_string(kMostSolverIterations));
  settings.stroke.checked(actuators, "stroke");
  settings.rate.checked(actuators, "rate");
  for (int i = 0; i < actuators; ++i) {
    require(settings.stroke[i] > 0.0, "stroke", settings.stroke[i], "must be above zero");
    require(settings.rate[i] > 0.0, "rate", settings.rate[i], "must be above zero");
  }
}

/// The plant with a disturbance that is added to the commands and drifts:
/// d[k+1] = d[k] + noise of variance q·(2πf)²·δt, q the intensity of the plant's own.
math::PlantModel with_disturbance(const PredictiveControlSettings& settings) {
  math::PlantModel plant = math::discretise_plant(settings.plant, settings.tick, "plant");
  const Index n = plant.states();
  const Index m = plant.drives();
  math::PlantModel whole = plant;
  whole.system.A = MatrixXd::Identity(n + m, n + m);
  whole.system.A.topLeftCorner(n, n) = plant.system.A;
  whole.system.A.topRightCorner(n, m) = plant.system.B;
  whole.system.B = MatrixXd::Zero(n + m, m);
  whole.system.B.topRows(n) = plant.system.B;
  whole.system.C = MatrixXd::Zero(m, n + m);
  whole.system.C.leftCols(n) = plant.system.C;
  whole.process_noise = MatrixXd::Zero(n + m, n + m);
  whole.process_noise.topLeftCorner(n, n) = plant.process_noise;
  const double corner = 2.0 * std::numbers::pi * settings.drift;
  whole.process_noise.bottomRightCorner(m, m).diagonal().setConstant(
      settings.plant.process_noise * corner * corner * settings.tick);
  return whole;
}

/// Commands of tick `tick` per knot (the knots of the first actuator first), and per the
/// command before the first: straight lines from knot to knot.
void fill_line_commands(int tick, int ticks, Index knots, MatrixXd& by_knot,
                        MatrixXd& by_last) {
  by_knot.setZero();
  by_last.setZero();
  const Index knot = std::min<Index>(tick / ticks, knots - 1);
  const double part =
      std::min(1.0, (tick - static_cast<double>(knot) * ticks + 1.0) / ticks);
  for (Index i = 0; i < by_knot.rows(); ++i) {
    by_knot(i, i * knots + knot) = part;
    if (knot > 0)
      by_knot(i, i * knots + knot - 1) = 1.0 - part;
    else
      by_last(i, i) = 1.0 - part;
  }
}

/// ½vᵀ(hessian)v + vᵀ(slope)(x̂ and d̂, last command, x, ẋ) of the knots v.
struct CostAhead {
  MatrixXd hessian;
  MatrixXd slope;
};

/// The squared errors at the ends of the ticks D ... D + N − 1 from now.
CostAhead errors_ahead(const math::PlantModel& plant,
                       const PredictiveControlSettings& settings, int ticks) {
  const Index m = plant.drives();
  const Index n = plant.states();
  const Index knots = settings.moves;
  const Index moves = m * knots;
  const auto delay = static_cast<int>(std::lround(settings.plant.delay / settings.tick));
  // Columns: per state, per knot, per last command.
  MatrixXd motion = MatrixXd::Zero(n, n + moves + m);
  motion.leftCols(n).setIdentity();
  MatrixXd by_knot(m, moves);
  MatrixXd by_last(m, m);
  CostAhead cost{MatrixXd::Zero(moves, moves), MatrixXd::Zero(moves, n + 3 * m)};
  for (int tick = 0; tick < delay + ticks * settings.moves; ++tick) {
    fill_line_commands(tick, ticks, knots, by_knot, by_last);
    motion = (plant.system.A * motion).eval();
    motion.middleCols(n, moves) += plant.system.B * by_knot;
    motion.rightCols(m) += plant.system.B * by_last;
    if (tick < delay) continue;
    const MatrixXd output = plant.system.C * motion;
    const MatrixXd to = output.middleCols(n, moves).transpose();
    const double ahead = tick * settings.tick;
    cost.hessian += to * to.transpose();
    cost.slope.leftCols(n) += to * output.leftCols(n);
    cost.slope.middleCols(n, m) += to * output.rightCols(m);
    cost.slope.middleCols(n + m, m) -= to;
    cost.slope.rightCols(m) -= ahead * to;
  }
  return cost;
}

/// The squared differences of neighbouring knots, the last command before the first.
void add_changes(double weight, int knots, Index states, CostAhead& cost) {
  for (Index first = 0; first < cost.hessian.rows(); first += knots) {
    cost.slope(first, states + first / knots) -= weight;
    for (Index at = first; at < first + knots; ++at) {
      cost.hessian(at, at) += weight;
      if (at == first) continue;
      cost.hessian(at - 1, at - 1) += weight;
      cost.hessian(at, at - 1) -= weight;
      cost.hessian(at - 1, at) -= weight;
    }
  }
}

/// The plant's states that hold a displacement, and below them the command that does.
MatrixXd held_states(const math::PlantModel& plant) {
  const Index m = plant.drives();
  const Index n = plant.states() - m;
  MatrixXd balance = MatrixXd::Zero(n + m, n + m);
  balance.topLeftCorner(n, n) =
      plant.system.A.topLeftCorner(n, n) - MatrixXd::Identity(n, n);
  balance.topRightCorner(n, m) = plant.system.B.topRows(n);
  balance.bottomLeftCorner(m, n) = plant.system.C.leftCols(n);
  MatrixXd held = MatrixXd::Zero(n + m, m);
  held.bottomRows(m).setIdentity();
  const std::optional<MatrixXd> found =
      math::solve_if_regular(balance, held, kSingularGain);
  if (!found)
    throw SettingError("plant.model",
                       "cannot be held at every position (its gain at frequency zero is "
                       "singular): no command brings it there");
  return *found;
}

std::vector<LimitedPath> make_path_limits(int actuators, int ticks,
                                          const PredictiveControlSettings& settings) {
  std::vector<LimitedPath> limits;
  for (int i = 0; i < actuators; ++i)
    limits.emplace_back(settings.stroke[i], settings.rate[i] * settings.tick * ticks);
  return limits;
}

/// Largest magnitude of an eigenvalue of plant and law without limits, the state known.
double slowest_mode(const math::PlantModel& plant, const MatrixXd& by_state,
                    const MatrixXd& by_command, Index knots, double part) {
  const Index m = plant.drives();
  const Index n = plant.states() - m;
  MatrixXd from_state(m, n);
  MatrixXd from_command(m, m);
  for (Index i = 0; i < m; ++i) {
    from_state.row(i) = part * by_state.row(i * knots).head(n);
    from_command.row(i) = part * by_command.row(i * knots);
    from_command(i, i) += 1.0 - part;
  }
  MatrixXd loop(n + m, n + m);
  const MatrixXd A = plant.system.A.topLeftCorner(n, n);
  const MatrixXd B = plant.system.B.topRows(n);
  loop << A + B * from_state, B * from_command, from_state, from_command;
  return math::eigenvalues(loop).cwiseAbs().maxCoeff();
}

}  // namespace

PredictiveControl::PredictiveControl(int actuators,
                                     const PredictiveControlSettings& settings)
    : PredictiveControl(actuators, settings, make_design(actuators, settings)) {}

PredictiveControl::Design PredictiveControl::make_design(
    int actuators, const PredictiveControlSettings& settings) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  check_predictive_settings(actuators, settings);
  Design design{.plant = with_disturbance(settings)};
  const Index m = design.plant.drives();
  if (m != actuators)
    throw SettingError("plant.model", "has " + std::to_string(m) + " drives; the rig has " +
                                          std::to_string(actuators) + " actuators");
  design.at_rest = held_states(design.plant);
  const Index n = design.plant.states();
  design.ticks = std::max(
      1,
      static_cast<int>(std::lround(settings.horizon / (settings.moves * settings.tick))));
  CostAhead cost = errors_ahead(design.plant, settings, design.ticks);
  add_changes(settings.change_weight / design.ticks, settings.moves, n, cost);
  const Eigen::VectorXd sizes = math::symmetric_eigen(cost.hessian).values;
  require(sizes[0] > kLeastSize * sizes[sizes.size() - 1], "change_weight",
          settings.change_weight,
          "is lost beside the squared errors (rounding); take a larger one");
  const MatrixXd optimum = -math::solve_symmetric(cost.hessian, cost.slope);
  design.hessian = std::move(cost.hessian);
  design.by_state = optimum.leftCols(n);
  design.by_command = optimum.middleCols(n, m);
  design.by_target = optimum.rightCols(2 * m);
  const double slowest = slowest_mode(design.plant, design.by_state, design.by_command,
                                      settings.moves, 1.0 / design.ticks);
  require(slowest < 1.0, "horizon", settings.horizon,
          "makes a loop that grows by " + in_words(slowest) +
              " in a tick, even with the plant as modelled; take a longer one, or a larger "
              "change_weight");
  return design;
}

PredictiveControl::PredictiveControl(int actuators,
                                     const PredictiveControlSettings& settings,
                                     Design design)
    : observer_(design.plant, "plant"),
      program_(std::move(design.hessian),
               make_path_limits(actuators, design.ticks, settings), settings.iterations),
      by_state_(std::move(design.by_state)),
      by_command_(std::move(design.by_command)),
      by_target_(std::move(design.by_target)),
      at_rest_(std::move(design.at_rest)),
      step_(actuators),
      stroke_(actuators),
      part_(1.0 / design.ticks),
      knots_(settings.moves),
      start_state_(design.plant.states()),
      target_(2 * actuators),
      optimum_(by_target_.rows()) {
  for (int i = 0; i < actuators; ++i) {
    step_[i] = settings.rate[i] * settings.tick;
    stroke_[i] = settings.stroke[i];
  }
}

/// At rest where the rig is, under the command in force; what that would not hold there is
/// the disturbance.
void PredictiveControl::start(const ActuatorVector& measured,
                              const ActuatorVector& last_command) noexcept {
  start_state_.noalias() = at_rest_.lazyProduct(measured);
  start_state_.tail(last_command.size()) -= last_command;
  observer_.start(start_state_);
  started_ = true;
}

ActuatorVector PredictiveControl::command(const ActuatorMotion& target,
                                          const ActuatorVector& measured,
                                          const ActuatorVector& last_command) noexcept {
  const Index m = step_.size();
  assert(measured.size() == m && last_command.size() == m);
  if (started_)
    observer_.predict(last_command);
  else
    start(measured, last_command);
  observer_.correct(measured);
  target_.head(m) = target.displacement;
  target_.tail(m) = target.velocity;
  optimum_.noalias() = by_state_.lazyProduct(observer_.estimate());
  optimum_.noalias() += by_command_.lazyProduct(last_command);
  optimum_.noalias() += by_target_.lazyProduct(target_);
  const Eigen::VectorXd& paths = program_.solve(optimum_, last_command);
  ActuatorVector command(m);
  for (Index i = 0; i < m; ++i) {
    const double last = last_command[i];
    const double most = std::max(stroke_[i], std::abs(last) - step_[i]);
    const double wanted = last + part_ * (paths[i * knots_] - last);
    command[i] =
        std::clamp(std::clamp(wanted, last - step_[i], last + step_[i]), -most, most);
  }
  return command;
}

void PredictiveControl::reset() noexcept {
  observer_.reset();
  started_ = false;
}

template <typename Self, typename Archive>
void PredictiveControl::visit(Self& self, Archive& archive) {
  archive(self.observer_, self.started_);
}

void PredictiveControl::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void PredictiveControl::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
