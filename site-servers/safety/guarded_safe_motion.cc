#include "site-servers/safety/guarded_safe_motion.h"

namespace trestle::safety {
namespace {

/// Only the limits of the drive: a force or a lag above its limit is the reason for the
/// safe action.
RigLimits drive_limits(const RigLimits& limits) {
  RigLimits kept;
  for (const ActuatorLimits& limit : limits)
    kept.push_back({.displacement = limit.displacement,
                    .rate = limit.rate,
                    .acceleration = limit.acceleration});
  return kept;
}

}  // namespace

GuardedSafeMotion::GuardedSafeMotion(const SafeAction& action, const RigLimits& limits,
                                     double tick)
    : motion_(action, limits, tick), gate_(drive_limits(limits), tick) {}

void GuardedSafeMotion::start(const ActuatorVector& drive, const Measurement& sensed,
                              bool moving) noexcept {
  gate_.reset(drive);
  motion_.start(drive, sensed);
  if (!moving || gate_.fault()) hold();
}

ActuatorVector GuardedSafeMotion::next(const Measurement& sensed) noexcept {
  if (finished()) return gate_.last_drive();
  ActuatorVector drive = gate_.pass(motion_.next(sensed), sensed);
  if (gate_.fault()) hold();
  return drive;
}

template <typename Self, typename Archive>
void GuardedSafeMotion::visit(Self& self, Archive& archive) {
  archive(self.motion_, self.gate_);
}

void GuardedSafeMotion::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void GuardedSafeMotion::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::safety
