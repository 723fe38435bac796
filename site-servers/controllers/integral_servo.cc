#include "site-servers/controllers/integral_servo.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"
#include "core/math/riccati.h"

namespace trestle::controllers {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void require_weight(double value, bool zero_too, const std::string& path) {
  if (std::isfinite(value) && (value > 0.0 || (zero_too && value == 0.0))) return;
  std::ostringstream text;
  text << "is " << value << "; a weight must be a finite number "
       << (zero_too ? "not below zero" : "above zero");
  throw SettingError(path, text.str());
}

std::string below(const std::string& path, const char* field) {
  return path.empty() ? field : path + "." + field;
}

constexpr double kIrregular = 1e-13;

/// State and drive at rest, one above the other, per displacement held there.
MatrixXd rest(const math::DiscreteStateSpace& plant, const std::string& path) {
  const Index n = plant.A.rows();
  const Index m = plant.B.cols();
  MatrixXd balance = MatrixXd::Zero(n + m, n + m);
  balance.topLeftCorner(n, n) = plant.A - MatrixXd::Identity(n, n);
  balance.topRightCorner(n, m) = plant.B;
  balance.bottomLeftCorner(m, n) = plant.C;
  MatrixXd held = MatrixXd::Zero(n + m, m);
  held.bottomRows(m).setIdentity();
  const std::optional<MatrixXd> found = math::solve_if_regular(balance, held, kIrregular);
  if (!found)
    throw SettingError(path,
                       "cannot be held at every position (its gain at frequency zero is "
                       "singular): no integral action brings it there");
  return *found;
}

ActuatorVector make_limit(int actuators, const std::vector<double>& limit) {
  if (limit.empty())
    return ActuatorVector::Constant(actuators, std::numeric_limits<double>::infinity());
  if (limit.size() != 1 && limit.size() != static_cast<std::size_t>(actuators))
    throw SettingError("drive_limit", std::to_string(limit.size()) + " values for " +
                                          std::to_string(actuators) +
                                          " actuators; give one for all, or one each");
  ActuatorVector limits(actuators);
  for (Index i = 0; i < limits.size(); ++i) {
    limits(i) = limit[limit.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    if (!(limits(i) > 0.0))
      throw SettingError("drive_limit", "is " + std::to_string(limits(i)) +
                                            "; a limit must be above zero");
  }
  return limits;
}

/// Judges what the delegated constructor would only assert.
math::PlantModel checked_plant(int actuators, const ServoSettings& settings) {
  assert(actuators > 0 && actuators <= kMaxActuators);
  math::PlantModel plant = math::discretise_plant(settings.plant, settings.tick, "plant");
  if (plant.drives() != actuators)
    throw SettingError("plant.model", "has " + std::to_string(plant.drives()) +
                                          " drives; the rig has " +
                                          std::to_string(actuators) + " actuators");
  return plant;
}

}  // namespace

ServoGains design_servo(const math::DiscreteStateSpace& plant, const ServoWeights& weights,
                        const std::string& path) {
  require_weight(weights.integral, false, below(path, "integral_weight"));
  require_weight(weights.output, true, below(path, "output_weight"));
  require_weight(weights.drive, false, below(path, "drive_weight"));
  rest(plant, below(path, "plant.model"));
  const Index n = plant.A.rows();
  const Index m = plant.B.cols();
  const double tick = plant.period;
  math::QuadraticProblem problem{MatrixXd::Identity(n + m, n + m), MatrixXd::Zero(n + m, m),
                                 MatrixXd::Zero(n + m, n + m),
                                 weights.drive * tick * MatrixXd::Identity(m, m)};
  problem.A.topLeftCorner(n, n) = plant.A;
  problem.A.bottomLeftCorner(m, n) = -tick * plant.C;
  problem.B.topRows(n) = plant.B;
  problem.Q.topLeftCorner(n, n) = weights.output * tick * plant.C.transpose() * plant.C;
  problem.Q.bottomRightCorner(m, m).diagonal().setConstant(weights.integral * tick);
  const MatrixXd K = math::solve_discrete_riccati(problem, below(path, "plant.model")).K;
  return {K.leftCols(n), -K.rightCols(m)};
}

IntegralServo::IntegralServo(int actuators, const ServoSettings& settings)
    : IntegralServo(
          actuators, settings,
          design_servo(checked_plant(actuators, settings).system, settings.weights, "")) {}

IntegralServo::IntegralServo(int actuators, const ServoSettings& settings, ServoGains gains)
    : IntegralServo(actuators, settings, checked_plant(actuators, settings),
                    std::move(gains)) {}

IntegralServo::IntegralServo(int actuators, const ServoSettings& settings,
                             const math::PlantModel& plant, ServoGains gains)
    : tick_(settings.tick),
      integrand_(settings.integrand),
      observer_(plant, "plant"),
      gains_(std::move(gains)),
      limit_(make_limit(actuators, settings.drive_limit)),
      integral_from_drive_(math::inverse(gains_.integral)),
      start_state_(plant.states()),
      error_sum_(ActuatorVector::Zero(actuators)),
      demand_(ActuatorVector::Zero(actuators)),
      surprise_(ActuatorVector::Zero(actuators)) {
  const MatrixXd held = rest(plant.system, "plant.model");
  state_at_rest_ = held.topRows(plant.states());
  integral_at_rest_ =
      integral_from_drive_ * (held.bottomRows(actuators) + gains_.state * state_at_rest_);
}

void IntegralServo::start(const ActuatorVector& measured) noexcept {
  start_state_.noalias() = state_at_rest_.lazyProduct(measured);
  observer_.start(start_state_);
  error_sum_.noalias() = integral_at_rest_.lazyProduct(measured);
  started_ = true;
}

void IntegralServo::observe(const ActuatorVector& command,
                            const ActuatorVector& measured) noexcept {
  assert(command.size() == error_sum_.size() && measured.size() == error_sum_.size());
  if (!started_) start(measured);
  observer_.correct(measured);
  if (integrand_ == IntegralErrorSource::kMeasured)
    error_sum_ += tick_ * (command - measured);
  else
    error_sum_ += tick_ * (command - observer_.displacement());
  demand_.noalias() = gains_.integral.lazyProduct(error_sum_);
  demand_.noalias() -= gains_.state.lazyProduct(observer_.estimate());
  surprise_.noalias() = gains_.state.lazyProduct(observer_.correction());
}

ActuatorVector IntegralServo::apply(const ActuatorVector& drive) noexcept {
  ActuatorVector limited = drive;
  for (Index i = 0; i < limited.size(); ++i)
    limited(i) = std::clamp(drive(i), -limit_(i), limit_(i));
  const ActuatorVector excess = drive - limited;
  if (!excess.isZero(0.0)) error_sum_.noalias() -= integral_from_drive_.lazyProduct(excess);
  observer_.predict(limited);
  return limited;
}

void IntegralServo::reset() noexcept {
  observer_.reset();
  error_sum_.setZero();
  demand_.setZero();
  surprise_.setZero();
  started_ = false;
}

LinearControllerModel IntegralServo::linearise(double kept) const {
  // With z = (x⁻, ξ, s) and w = (command, measured) of this tick, all that is needed of it
  // is linear: x̂ = X z + ..., as columns over (z, w).
  const Index n = observer_.forward().rows();
  const Index m = error_sum_.size();
  const Index states = n + m + (kept == 0.0 ? 0 : m);
  const MatrixXd unit = MatrixXd::Identity(states + 2 * m, states + 2 * m);
  const auto command = unit.middleRows(states, m);
  const auto measured = unit.bottomRows(m);
  const MatrixXd correction =
      observer_.gain() * (measured - observer_.reading() * unit.topRows(n));
  const MatrixXd estimate = unit.topRows(n) + correction;
  const MatrixXd seen = integrand_ == IntegralErrorSource::kMeasured
                            ? MatrixXd(measured)
                            : observer_.reading() * estimate;
  const MatrixXd sum = unit.middleRows(n, m) + tick_ * (command - seen);
  MatrixXd drive = gains_.integral * sum - gains_.state * estimate;
  MatrixXd next(states, unit.cols());
  next.middleRows(n, m) = sum;
  if (kept != 0.0) {
    next.bottomRows(m) = kept * (unit.middleRows(n + m, m) + gains_.state * correction);
    drive += next.bottomRows(m);
  }
  next.topRows(n) = observer_.forward() * estimate + observer_.entry() * drive;
  return {.A = next.leftCols(states),
          .B = next.rightCols(2 * m),
          .C = drive.leftCols(states),
          .D = drive.rightCols(2 * m)};
}

template <typename Self, typename Archive>
void IntegralServo::visit(Self& self, Archive& archive) {
  archive(self.observer_, self.error_sum_, self.demand_, self.surprise_, self.started_);
}

void IntegralServo::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void IntegralServo::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::controllers
