#include "adapters/simulated/delayed_actuator.h"

#include <utility>

namespace trestle::simulated {

DelayedActuator::DelayedActuator(double delay, math::StateSpace system,
                                 math::Discretisation method)
    : delay_({.delay = delay, .gain = 1.0}), servo_(std::move(system), method) {}

void DelayedActuator::prepare(double tick) {
  delay_.prepare(tick);
  servo_.prepare(tick);
}

void DelayedActuator::advance(const ActuatorVector& drive,
                              ActuatorMotion& stroke) noexcept {
  delay_.advance(drive, late_);
  servo_.advance(late_.displacement, stroke);
}

template <typename Self, typename Archive>
void DelayedActuator::visit(Self& self, Archive& archive) {
  archive(self.delay_, self.servo_);
}

void DelayedActuator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void DelayedActuator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
