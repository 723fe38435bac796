#include "adapters/simulated/transport_delay_actuators.h"

#include <cassert>
#include <utility>

namespace trestle::simulated {

TransportDelayActuators::TransportDelayActuators(std::unique_ptr<ActuatorModel> prompt,
                                                 int ticks)
    : prompt_(std::move(prompt)),
      waiting_(static_cast<std::size_t>(ticks),
               ActuatorVector::Zero(prompt_->actuators())) {
  assert(ticks >= 1 && ticks <= kMostTicks);
}

void TransportDelayActuators::prepare(double tick) {
  prompt_->prepare(tick);
  for (ActuatorVector& drive : waiting_) drive.setZero();
  oldest_ = 0;
}

void TransportDelayActuators::advance(const ActuatorVector& drive,
                                      ActuatorMotion& stroke) noexcept {
  const ActuatorVector due = waiting_[oldest_];
  waiting_[oldest_] = drive;
  oldest_ = (oldest_ + 1) % waiting_.size();
  prompt_->advance(due, stroke);
}

template <typename Self, typename Archive>
void TransportDelayActuators::visit(Self& self, Archive& archive) {
  archive(*self.prompt_, self.waiting_, self.oldest_);
}

void TransportDelayActuators::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void TransportDelayActuators::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
