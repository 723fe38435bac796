#include "adapters/simulated/linear_actuators.h"

#include <cassert>
#include <numbers>

#include "core/math/stroke_acceleration.h"

namespace trestle::simulated {

LinearActuators::LinearActuators(math::StateSpace system, math::Discretisation method)
    : system_(std::move(system)),
      method_(method),
      displacement_(ActuatorVector::Zero(system_.outputs())),
      velocity_(ActuatorVector::Zero(system_.outputs())) {
  assert(sizes_fit(system_) && system_.inputs() == system_.outputs());
}

int LinearActuators::actuators() const noexcept {
  return static_cast<int>(system_.outputs());
}

void LinearActuators::prepare(double tick) {
  held_.emplace(system_, tick, method_);
  tick_ = tick;
  displacement_.setZero();
  velocity_.setZero();
}

void LinearActuators::advance(const ActuatorVector& drive,
                              ActuatorMotion& stroke) noexcept {
  assert(held_);
  math::SampledSystem& held = *held_;
  held.advance(drive);
  for (Eigen::Index i = 0; i < displacement_.size(); ++i) {
    stroke.displacement(i) = held.output()(i);
    if (system_.D.row(i).isZero(0.0)) {
      stroke.velocity(i) = held.rate()(i);
      stroke.acceleration(i) = held.acceleration()(i);
    } else {
      stroke.velocity(i) = (stroke.displacement(i) - displacement_(i)) / tick_;
      stroke.acceleration(i) =
          math::acceleration_of_stroke({displacement_(i), velocity_(i)},
                                       {stroke.displacement(i), stroke.velocity(i)}, tick_);
    }
  }
  displacement_ = stroke.displacement;
  velocity_ = stroke.velocity;
}

const math::SampledSystem* LinearActuators::without_feedthrough() const noexcept {
  return held_ && system_.D.isZero(0.0) ? &*held_ : nullptr;
}

void LinearActuators::save(SnapshotWriter& snapshot) const {
  if (held_) held_->save(snapshot);
  snapshot.add(displacement_);
  snapshot.add(velocity_);
}

void LinearActuators::restore(SnapshotReader& snapshot) {
  if (held_) held_->restore(snapshot);
  snapshot.fill(displacement_);
  snapshot.fill(velocity_);
}

math::StateSpace first_order_lag(double frequency, double gain) {
  const double omega = 2.0 * std::numbers::pi * frequency;
  return {Eigen::MatrixXd::Constant(1, 1, -omega), Eigen::MatrixXd::Constant(1, 1, omega),
          Eigen::MatrixXd::Constant(1, 1, gain), Eigen::MatrixXd::Zero(1, 1)};
}

math::StateSpace second_order_lag(double frequency, double damping, double gain) {
  // States y and y'/ω: all entries are of the size of ω.
  const double omega = 2.0 * std::numbers::pi * frequency;
  math::StateSpace system{Eigen::MatrixXd(2, 2), Eigen::MatrixXd(2, 1),
                          Eigen::MatrixXd(1, 2), Eigen::MatrixXd::Zero(1, 1)};
  system.A << 0.0, omega, -omega, -2.0 * damping * omega;
  system.B << 0.0, omega;
  system.C << gain, 0.0;
  return system;
}

}  // namespace trestle::simulated
