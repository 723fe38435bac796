#include "adapters/simulated/sensor_dropout.h"

#include <algorithm>
#include <cmath>

namespace trestle::simulated {

void SensorDropout::prepare(double tick, Eigen::Index actuators) noexcept {
  first_ = std::round(times_.at / tick);
  length_ = std::max(1.0, std::round(times_.duration / tick));
  // Something is read between two of them, however they are rounded.
  period_ =
      times_.every > 0.0 ? std::max(length_ + 1.0, std::round(times_.every / tick)) : 0.0;
  tick_ = 0.0;
  displacement_.setZero(actuators);
  force_.setZero(actuators);
}

bool SensorDropout::stays() const noexcept {
  const double since = tick_ - first_;
  if (tick_ == 0.0 || since < 0.0) return false;
  return (period_ > 0.0 ? std::fmod(since, period_) : since) < length_;
}

void SensorDropout::pass_displacement(ActuatorVector& displacement) noexcept {
  if (stays())
    displacement = displacement_;
  else
    displacement_ = displacement;
}

void SensorDropout::pass_force(ActuatorVector& force) noexcept {
  if (stays())
    force = force_;
  else
    force_ = force;
  tick_ += 1.0;
}

template <typename Self, typename Archive>
void SensorDropout::visit(Self& self, Archive& archive) {
  archive(self.tick_, self.displacement_, self.force_);
}

void SensorDropout::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SensorDropout::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
