#include "site-servers/compensators/inverse_compensation.h"

#include <cassert>
#include <cmath>

#include "core/base/setting_rule.h"

namespace trestle::compensators {

InverseCompensation::InverseCompensation(int actuators, const InverseSettings& settings)
    : lead_(actuators), last_(ActuatorVector::Zero(actuators)) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
  settings.delay.checked(actuators, "delay");
  const bool plus = settings.form == InverseSettings::Form::kLagPlusOne;
  for (int i = 0; i < actuators; ++i) {
    const double delay = settings.delay[i];
    require(delay >= 0.0 && std::isfinite(delay), "delay", delay, "must not be below zero");
    require(plus || delay >= 2.0 * settings.tick, "delay", delay,
            "lag-minus-one needs at least two control ticks, " +
                std::to_string(2.0 * settings.tick) + " s; or choose lag-plus-one");
    lead_[i] = delay / settings.tick - (plus ? 0.0 : 2.0);
  }
}

ActuatorVector InverseCompensation::command(
    const ActuatorMotion& target, const ActuatorVector& /*measured*/,
    const ActuatorVector& /*last_command*/) noexcept {
  const ActuatorVector& x = target.displacement;
  assert(x.size() == lead_.size());
  if (!started_) last_ = x;
  started_ = true;
  ActuatorVector command = x + lead_.cwiseProduct(x - last_);
  last_ = x;
  return command;
}

template <typename Self, typename Archive>
void InverseCompensation::visit(Self& self, Archive& archive) {
  archive(self.last_, self.started_);
}

void InverseCompensation::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void InverseCompensation::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::compensators
