#include "site-servers/safety/safe_return.h"

namespace trestle {
namespace {

/// Of the drive alone: a force or a lag above its limit is why the rig is brought away.
RigLimits drive_limits(const RigLimits& limits) {
  RigLimits kept;
  for (const ActuatorLimits& limit : limits)
    kept.push_back({.displacement = limit.displacement,
                    .rate = limit.rate,
                    .acceleration = limit.acceleration});
  return kept;
}

}  // namespace

SafeReturn::SafeReturn(const SafeAction& action, const RigLimits& limits, double tick)
    : motion_(action, limits, tick), gate_(drive_limits(limits), tick) {}

void SafeReturn::start(const ActuatorVector& drive, const Sensed& sensed,
                       bool moving) noexcept {
  gate_.reset(drive);
  motion_.start(drive, sensed);
  if (!moving || gate_.fault()) hold();
}

ActuatorVector SafeReturn::next(const Sensed& sensed) noexcept {
  if (finished()) return gate_.last_drive();
  ActuatorVector drive = gate_.pass(motion_.next(sensed), sensed);
  if (gate_.fault()) hold();
  return drive;
}

template <typename Self, typename Archive>
void SafeReturn::visit(Self& self, Archive& archive) {
  archive(self.motion_, self.gate_);
}

void SafeReturn::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SafeReturn::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle
