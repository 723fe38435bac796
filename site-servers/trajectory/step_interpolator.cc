#include "site-servers/trajectory/step_interpolator.h"

#include <cassert>

namespace trestle::trajectory {

StepInterpolator::StepInterpolator(int dofs, double time_step, int ticks_per_step) noexcept
    : time_step_(time_step),
      ticks_(ticks_per_step),
      from_(InterfaceMotion::zero(dofs)),
      to_(InterfaceMotion::zero(dofs)) {
  assert(dofs >= 0 && dofs <= kMaxInterfaceDofs);
  assert(time_step > 0.0);
  assert(ticks_per_step >= 1);
}

void StepInterpolator::start(const InterfaceVector& displacement) noexcept {
  assert(displacement.size() == to_.displacement.size());
  to_ = InterfaceMotion::zero(displacement.size());
  to_.displacement = displacement;
  from_ = to_;
  aimed_ = false;
}

void StepInterpolator::start_towards(const InterfaceMotion& target) noexcept {
  const double h = time_step_;
  to_ = {target.displacement - h * target.velocity + 0.5 * h * h * target.acceleration,
         target.velocity - h * target.acceleration, target.acceleration};
  aimed_ = true;
  aim(target);
}

void StepInterpolator::aim(const InterfaceMotion& target) noexcept {
  assert(target.displacement.size() == to_.displacement.size());
  from_ = to_;
  to_ = target;
  approaching_ = !aimed_;
  aimed_ = true;
}

InterfaceMotion StepInterpolator::at(int tick) const noexcept {
  assert(tick >= 1 && tick <= ticks_);
  if (tick == ticks_) return to_;
  const double h = time_step_;
  const double s = static_cast<double>(tick) / ticks_;
  const InterfaceVector& v0 = from_.velocity;
  const InterfaceVector& v1 = to_.velocity;
  // The difference first: a constant target is repeated to the bit.
  const InterfaceVector way = to_.displacement - from_.displacement;
  if (approaching_) return {from_.displacement + s * way, to_.velocity, to_.acceleration};
  return {from_.displacement + s * s * (3.0 - 2.0 * s) * way +
              h * s * (1.0 - s) * ((1.0 - s) * v0 - s * v1),
          6.0 * s * (1.0 - s) / h * way + (1.0 - s) * (1.0 - 3.0 * s) * v0 +
              s * (3.0 * s - 2.0) * v1,
          from_.acceleration + s * (to_.acceleration - from_.acceleration)};
}

template <typename Self, typename Archive>
void StepInterpolator::visit(Self& self, Archive& archive) {
  for (auto* target : {&self.from_, &self.to_}) {
    archive(target->displacement, target->velocity, target->acceleration);
  }
  archive(self.approaching_, self.aimed_);
}

void StepInterpolator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void StepInterpolator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
