#include "adapters/simulated/sticking_actuators.h"

#include <cassert>
#include <utility>

namespace trestle::simulated {

StickingActuators::StickingActuators(std::unique_ptr<ActuatorModel> smooth,
                                     ActuatorVector play)
    : smooth_(std::move(smooth)),
      play_(std::move(play)),
      pulled_(ActuatorVector::Zero(play_.size())) {
  assert(play_.size() == smooth_->actuators());
}

void StickingActuators::prepare(double tick) {
  smooth_->prepare(tick);
  pulled_.setZero();
}

void StickingActuators::advance(const ActuatorVector& drive,
                                ActuatorMotion& stroke) noexcept {
  pulled_ = pulled_.cwiseMax(drive - play_).cwiseMin(drive + play_);
  smooth_->advance(pulled_, stroke);
}

template <typename Self, typename Archive>
void StickingActuators::visit(Self& self, Archive& archive) {
  archive(*self.smooth_, self.pulled_);
}

void StickingActuators::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void StickingActuators::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
