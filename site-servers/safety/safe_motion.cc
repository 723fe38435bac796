#include "site-servers/safety/safe_motion.h"

#include <algorithm>
#include <cmath>

namespace trestle::safety {
namespace {

constexpr double kShareOfLimit = 0.75;
constexpr std::int64_t kGrowingTicks = 3;

const SafeAction& checked(const SafeAction& action, const RigLimits& limits) {
  check(action, static_cast<int>(limits.size()), "safe_action");
  return action;
}

/// The limits of the ramp: the tighter of action and limits.
RigLimits ramp_limits(const SafeAction& action, RigLimits limits) {
  if (action.kind != SafeAction::Kind::kRampHome) return limits;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto actuator = static_cast<Eigen::Index>(i);
    limits[i].rate = std::min(limits[i].rate, action.rate[actuator]);
    limits[i].acceleration =
        std::min(limits[i].acceleration, action.acceleration[actuator]);
  }
  return limits;
}

}  // namespace

SafeMotion::SafeMotion(const SafeAction& action, const RigLimits& limits, double tick)
    : kind_(checked(action, limits).kind),
      tick_(tick),
      ramp_(ramp_limits(action, limits), tick, 0.0),
      axes_(limits.size()),
      drive_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))) {
  if (kind_ != SafeAction::Kind::kUnload) return;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto actuator = static_cast<Eigen::Index>(i);
    axes_[i] = {.rate = std::min(action.rate[actuator], kShareOfLimit * limits[i].rate),
                .bend = kShareOfLimit * limits[i].acceleration * tick,
                .band = action.band[actuator],
                .travel = action.travel[actuator]};
  }
}

bool SafeMotion::moves() const noexcept {
  return kind_ != SafeAction::Kind::kHold;
}

bool SafeMotion::started() const noexcept {
  return state_ != State::kIdle;
}

bool SafeMotion::finished() const noexcept {
  return state_ == State::kArrived || held();
}

bool SafeMotion::held() const noexcept {
  return state_ == State::kHeld;
}

void SafeMotion::start(const ActuatorVector& drive, const Measurement& sensed) noexcept {
  if (drive.size() != drive_.size() || !drive.allFinite()) return hold(drive_);
  if (!moves() || !sound(sensed)) return hold(drive);
  drive_ = drive;
  state_ = State::kMoving;
  ramp_.start(drive);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    Axis& axis = axes_[i];
    const double force = sensed.force[static_cast<Eigen::Index>(i)];
    axis.speed = axis.rate;
    axis.velocity = 0.0;
    axis.way = 0.0;
    axis.last_force = std::abs(force);
    axis.least_force = std::abs(force);
    axis.sign = std::copysign(1.0, force);
    axis.growing = 0;
  }
}

ActuatorVector SafeMotion::next(const Measurement& sensed) noexcept {
  if (state_ != State::kMoving) return drive_;
  if (!sound(sensed)) {
    hold(drive_);
  } else if (kind_ == SafeAction::Kind::kUnload) {
    unload(sensed);
  } else {
    drive_ = ramp_.next();
    if (ramp_.finished()) state_ = State::kArrived;
  }
  return drive_;
}

void SafeMotion::hold(const ActuatorVector& drive) noexcept {
  drive_ = drive;
  state_ = State::kHeld;
}

bool SafeMotion::sound(const Measurement& sensed) const noexcept {
  return sensed.displacement.size() == drive_.size() &&
         sensed.force.size() == drive_.size() && sensed.displacement.allFinite() &&
         sensed.force.allFinite();
}

void SafeMotion::unload(const Measurement& sensed) noexcept {
  ActuatorVector drive = drive_;
  bool unloaded = true;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    Axis& axis = axes_[i];
    const auto actuator = static_cast<Eigen::Index>(i);
    const double force = sensed.force[actuator];
    if (is_force_growing(axis, force)) return hold(drive_);
    drive[actuator] += advance(axis, force);
    if (axis.way > axis.travel) return hold(drive_);
    if (std::abs(force) > axis.band || axis.velocity != 0.0) unloaded = false;
  }
  drive_ = drive;
  if (unloaded) state_ = State::kArrived;
}

/// The wrong way: the rig, or the sign of its load cell, is not what it was taken for. On
/// the way out of a swing through the band it grows for a better reason.
bool SafeMotion::is_force_growing(Axis& axis, double force) noexcept {
  const double magnitude = std::abs(force);
  const bool swings = axis.velocity * force > 0.0;
  axis.growing = !swings && magnitude > axis.last_force ? axis.growing + 1 : 0;
  axis.last_force = magnitude;
  axis.least_force = swings ? magnitude : std::min(axis.least_force, magnitude);
  return axis.growing >= kGrowingTicks && magnitude > axis.least_force + axis.band;
}

/// @returns the change of the drive [m | rad]
double SafeMotion::advance(Axis& axis, double force) const noexcept {
  double wanted = 0.0;
  if (std::abs(force) > axis.band) {
    const double sign = std::copysign(1.0, force);
    if (sign != axis.sign) axis.speed *= 0.5;
    axis.sign = sign;
    wanted = -sign * axis.speed;
  }
  axis.velocity += std::clamp(wanted - axis.velocity, -axis.bend, axis.bend);
  const double change = axis.velocity * tick_;
  axis.way += std::abs(change);
  return change;
}

template <typename Self, typename Archive>
void SafeMotion::visit(Self& self, Archive& archive) {
  archive(self.state_, self.drive_, self.ramp_);
  for (auto& axis : self.axes_) {
    archive(axis.speed, axis.velocity, axis.way, axis.last_force, axis.least_force,
            axis.sign, axis.growing);
  }
}

void SafeMotion::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SafeMotion::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::safety
