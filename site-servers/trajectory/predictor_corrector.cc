#include "site-servers/trajectory/predictor_corrector.h"

#include <cassert>

namespace trestle {

PredictorCorrector::PredictorCorrector(int dofs, double time_step,
                                       int ticks_per_step) noexcept
    : time_step_(time_step),
      ticks_(ticks_per_step),
      from_(Target::zero(dofs)),
      to_(Target::zero(dofs)) {
  assert(dofs >= 0 && dofs <= kMaxInterfaceDofs);
  assert(time_step > 0.0);
  assert(ticks_per_step >= 1);
}

void PredictorCorrector::start(const InterfaceVector& displacement) noexcept {
  assert(displacement.size() == to_.displacement.size());
  to_ = Target::zero(displacement.size());
  to_.displacement = displacement;
  from_ = to_;
  aimed_ = false;
}

void PredictorCorrector::arrive_at(const Target& target) noexcept {
  const double h = time_step_;
  to_ = {target.displacement - h * target.velocity + 0.5 * h * h * target.acceleration,
         target.velocity - h * target.acceleration, target.acceleration};
  aimed_ = true;
  aim(target);
}

void PredictorCorrector::aim(const Target& target) noexcept {
  assert(target.displacement.size() == to_.displacement.size());
  from_ = to_;
  to_ = target;
  approaching_ = !aimed_;
  aimed_ = true;
}

Target PredictorCorrector::at(int tick) const noexcept {
  assert(tick >= 1 && tick <= ticks_);
  if (tick == ticks_) return to_;
  const double h = time_step_;
  const double s = static_cast<double>(tick) / ticks_;
  const InterfaceVector& v0 = from_.velocity;
  const InterfaceVector& v1 = to_.velocity;
  // The difference first: a target that stands still is repeated to the bit.
  const InterfaceVector way = to_.displacement - from_.displacement;
  if (approaching_) return {from_.displacement + s * way, to_.velocity, to_.acceleration};
  return {from_.displacement + s * s * (3.0 - 2.0 * s) * way +
              h * s * (1.0 - s) * ((1.0 - s) * v0 - s * v1),
          6.0 * s * (1.0 - s) / h * way + (1.0 - s) * (1.0 - 3.0 * s) * v0 +
              s * (3.0 * s - 2.0) * v1,
          from_.acceleration + s * (to_.acceleration - from_.acceleration)};
}

void PredictorCorrector::save(SnapshotWriter& snapshot) const {
  for (const Target* target : {&from_, &to_}) {
    snapshot.add(target->displacement);
    snapshot.add(target->velocity);
    snapshot.add(target->acceleration);
  }
  snapshot.add(approaching_ ? 1.0 : 0.0);
  snapshot.add(aimed_ ? 1.0 : 0.0);
}

void PredictorCorrector::restore(SnapshotReader& snapshot) {
  for (Target* target : {&from_, &to_}) {
    snapshot.fill(target->displacement);
    snapshot.fill(target->velocity);
    snapshot.fill(target->acceleration);
  }
  approaching_ = snapshot.next() != 0.0;
  aimed_ = snapshot.next() != 0.0;
}

}  // namespace trestle
