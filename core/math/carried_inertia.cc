#include "core/math/carried_inertia.h"

#include <cassert>
#include <cmath>

#include "core/math/stroke_acceleration.h"

namespace trestle::math {

CarriedInertia::CarriedInertia(const Eigen::MatrixXd& mass, double tick, Eigen::Index led,
                               bool measured)
    : tick_(tick), measured_(measured) {
  assert(tick > 0.0 && mass.rows() == mass.cols());
  if (mass.size() == 0 || mass.isZero(0.0)) return;
  mass_ = mass;
  acceleration_.setZero(led);
  begin(InterfaceVector::Zero(led));
}

bool CarriedInertia::measure(std::span<const double> accelerations) noexcept {
  if (none() || !measured_) return true;
  if (accelerations.size() != static_cast<std::size_t>(acceleration_.size())) return false;
  for (Eigen::Index i = 0; i < acceleration_.size(); ++i) {
    const double value = accelerations[static_cast<std::size_t>(i)];
    if (!std::isfinite(value)) return false;
    acceleration_[i] = value;
  }
  return true;
}

void CarriedInertia::begin(const InterfaceVector& displacement) noexcept {
  displacement_ = displacement;
  velocity_.setZero(displacement.size());
  if (!measured_) acceleration_.setZero(displacement.size());
}

void CarriedInertia::pass(const InterfaceVector& displacement) noexcept {
  assert(displacement.size() == displacement_.size());
  if (measured_) return;
  for (Eigen::Index i = 0; i < displacement.size(); ++i) {
    const double velocity = (displacement[i] - displacement_[i]) / tick_;
    acceleration_[i] = acceleration_of_stroke({displacement_[i], velocity_[i]},
                                              {displacement[i], velocity}, tick_);
    displacement_[i] = displacement[i];
    velocity_[i] = velocity;
  }
}

void CarriedInertia::leap(const InterfaceVector& displacement,
                          const InterfaceVector& velocity,
                          const InterfaceVector& acceleration) noexcept {
  if (measured_) return;
  displacement_ = displacement;
  velocity_ = velocity;
  acceleration_ = acceleration;
}

void CarriedInertia::take_out(InterfaceVector& force) const noexcept {
  if (none()) return;
  assert(force.size() == mass_.rows());
  for (Eigen::Index i = 0; i < force.size(); ++i) {
    double inertia = 0.0;
    for (Eigen::Index j = 0; j < acceleration_.size(); ++j)
      inertia += mass_(i, j) * acceleration_[j];
    force[i] -= inertia;
  }
}

void CarriedInertia::save(SnapshotWriter& snapshot) const {
  if (none()) return;
  for (const InterfaceVector* values : {&displacement_, &velocity_, &acceleration_})
    snapshot.add(*values);
}

void CarriedInertia::restore(SnapshotReader& snapshot) {
  if (none()) return;
  for (InterfaceVector* values : {&displacement_, &velocity_, &acceleration_})
    snapshot.fill(*values);
}

}  // namespace trestle::math
