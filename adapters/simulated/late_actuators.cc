#include "adapters/simulated/late_actuators.h"

#include <cassert>
#include <utility>

namespace trestle {

LateActuators::LateActuators(std::unique_ptr<ActuatorModel> prompt, int ticks)
    : prompt_(std::move(prompt)),
      waiting_(static_cast<std::size_t>(ticks),
               ActuatorVector::Zero(prompt_->actuators())) {
  assert(ticks >= 1 && ticks <= kMostTicks);
}

void LateActuators::prepare(double tick) {
  prompt_->prepare(tick);
  for (ActuatorVector& drive : waiting_) drive.setZero();
  oldest_ = 0;
}

void LateActuators::advance(const ActuatorVector& drive, Stroke& stroke) noexcept {
  const ActuatorVector due = waiting_[oldest_];
  waiting_[oldest_] = drive;
  oldest_ = (oldest_ + 1) % waiting_.size();
  prompt_->advance(due, stroke);
}

void LateActuators::save(SnapshotWriter& snapshot) const {
  prompt_->save(snapshot);
  for (const ActuatorVector& drive : waiting_) snapshot.add(drive);
  snapshot.add(static_cast<double>(oldest_));
}

void LateActuators::restore(SnapshotReader& snapshot) {
  prompt_->restore(snapshot);
  for (ActuatorVector& drive : waiting_) snapshot.fill(drive);
  oldest_ = static_cast<std::size_t>(snapshot.next());
}

}  // namespace trestle
