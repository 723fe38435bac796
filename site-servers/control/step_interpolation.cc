#include "site-servers/control/step_interpolation.h"

#include <algorithm>

namespace trestle {

StepInterpolation::StepInterpolation(int dofs, double time_step,
                                     int ticks_per_step) noexcept
    : time_step_(time_step),
      ticks_(ticks_per_step),
      path_(dofs, time_step, ticks_per_step),
      tick_(ticks_per_step),
      last_(Target::zero(dofs)) {}

void StepInterpolation::start(const InterfaceVector& displacement) noexcept {
  path_.start(displacement);
  tick_ = ticks_;
  last_ = Target::zero(displacement.size());
  last_.displacement = displacement;
}

void StepInterpolation::aim(const Target& target, int /*ticks*/) noexcept {
  path_.aim(target);
  tick_ = 0;
}

Target StepInterpolation::next() noexcept {
  if (tick_ < ticks_) return last_ = path_.at(++tick_);
  last_.velocity.setZero();
  last_.acceleration.setZero();
  return last_;
}

void StepInterpolation::hold() noexcept {
  if (arrived()) return;
  path_.start(last_.displacement);
  tick_ = ticks_;
}

void StepInterpolation::come_to_rest() noexcept {
  Target rest = Target::zero(last_.displacement.size());
  // With equal parts of the way the cubic from velocity v to rest brakes evenly.
  rest.displacement = last_.displacement + 0.5 * time_step_ * last_.velocity;
  path_.aim(rest);
  tick_ = 0;
}

void StepInterpolation::skip(int ticks) noexcept {
  if (!arrived()) tick_ = std::min(tick_ + ticks, ticks_ - 1);
}

void StepInterpolation::save(SnapshotWriter& snapshot) const {
  path_.save(snapshot);
  snapshot.add(static_cast<double>(tick_));
  snapshot.add(last_.displacement);
  snapshot.add(last_.velocity);
  snapshot.add(last_.acceleration);
}

void StepInterpolation::restore(SnapshotReader& snapshot) {
  path_.restore(snapshot);
  tick_ = static_cast<int>(snapshot.next());
  snapshot.fill(last_.displacement);
  snapshot.fill(last_.velocity);
  snapshot.fill(last_.acceleration);
}

}  // namespace trestle
