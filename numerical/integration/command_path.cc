#include "numerical/integration/command_path.h"

#include <stdexcept>
#include <string>

namespace trestle::integration {

CommandPath::CommandPath(int order, double time_step, Eigen::Index equations)
    : order_(order), time_step_(time_step) {
  if (order < 1 || order > 3)
    throw std::invalid_argument("implicit: polynomial is " + std::to_string(order) +
                                "; must be 1, 2 or 3");
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(equations);
  ends_ = {zero, zero, zero};
  displacement_ = velocity_ = acceleration_ = zero;
}

void CommandPath::start(const Eigen::VectorXd& displacement) noexcept {
  for (Eigen::VectorXd& end : ends_) end = displacement;
  displacement_ = displacement;
  velocity_.setZero();
  acceleration_.setZero();
}

void CommandPath::begin_step(const Eigen::VectorXd& displacement) noexcept {
  ends_[2].swap(ends_[1]);
  ends_[1].swap(ends_[0]);
  ends_[0] = displacement;
}

void CommandPath::sum(const Factors& factors, const Eigen::VectorXd& estimate,
                      Eigen::VectorXd& result) const noexcept {
  result = factors[0] * estimate + factors[1] * ends_[0];
  if (order_ > 1) result += factors[2] * ends_[1];
  if (order_ > 2) result += factors[3] * ends_[2];
}

void CommandPath::move(const Eigen::VectorXd& estimate, double x) noexcept {
  const double rate = 1.0 / time_step_;
  const double square = rate * rate;
  Factors value{x, 1.0 - x, 0.0, 0.0};
  Factors slope{rate, -rate, 0.0, 0.0};
  Factors bend{};
  if (order_ == 2) {
    value = {0.5 * x * (x + 1.0), (1.0 - x) * (1.0 + x), 0.5 * (x - 1.0) * x, 0.0};
    slope = {rate * (x + 0.5), -2.0 * rate * x, rate * (x - 0.5), 0.0};
    bend = {square, -2.0 * square, square, 0.0};
  } else if (order_ == 3) {
    value = {x * (x + 1.0) * (x + 2.0) / 6.0, 0.5 * (1.0 - x) * (x + 1.0) * (x + 2.0),
             0.5 * (x - 1.0) * x * (x + 2.0), (1.0 - x) * x * (x + 1.0) / 6.0};
    const double squared = 3.0 * x * x;
    slope = {rate * (squared + 6.0 * x + 2.0) / 6.0,
             -0.5 * rate * (squared + 4.0 * x - 1.0),
             0.5 * rate * (squared + 2.0 * x - 2.0), -rate * (squared - 1.0) / 6.0};
    bend = {square * (x + 1.0), -square * (3.0 * x + 2.0), square * (3.0 * x + 1.0),
            -square * x};
  }
  sum(value, estimate, displacement_);
  sum(slope, estimate, velocity_);
  sum(bend, estimate, acceleration_);
}

}  // namespace trestle::integration
