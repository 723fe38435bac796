#include "site-servers/safety/safety_gate.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/base/limit_check.h"
#include "core/base/setting_error.h"
#include "site-servers/safety/fault_snapshot.h"

namespace trestle::safety {
namespace {

constexpr Eigen::Index kWholeSite = -1;
constexpr double kLargest = std::numeric_limits<double>::max();
// A dwell of more ticks counts as unlimited.
constexpr double kLongestDwell = 1e15;

std::int64_t dwell_ticks(double dwell, double tick, std::size_t actuator) {
  if (!(dwell >= 0.0))
    throw SettingError(
        "limits.actuators[" + std::to_string(actuator) + "].tracking_dwell",
        "tracking_dwell is " + std::to_string(dwell) + " s; must not be negative");
  // A dwell that is a whole number of ticks must not lose one to rounding.
  const double ticks = std::floor(dwell / tick * (1.0 + 1e-9));
  return static_cast<std::int64_t>(ticks < kLongestDwell ? ticks : kLongestDwell);
}

Eigen::Index checked_count(const RigLimits& limits) {
  if (limits.size() <= kMaxActuators) return static_cast<Eigen::Index>(limits.size());
  throw SettingError("limits.actuators", std::to_string(limits.size()) +
                                             " actuators; a site may have at most " +
                                             std::to_string(kMaxActuators));
}

}  // namespace

SafetyGate::SafetyGate(const RigLimits& limits, double tick)
    : ticks_per_second_(1.0 / tick),
      last_drive_(ActuatorVector::Zero(checked_count(limits))),
      drive_before_(last_drive_) {
  if (!(tick > 0.0) || !std::isfinite(ticks_per_second_))
    throw SettingError("control_tick", "control tick is " + std::to_string(tick) +
                                           " s; must be above zero");
  for (std::size_t i = 0; i < limits.size(); ++i) {
    require_positive(limits[i].displacement, i, "displacement");
    require_positive(limits[i].rate, i, "rate");
    require_positive(limits[i].acceleration, i, "acceleration");
    require_positive(limits[i].force, i, "force");
    require_positive(limits[i].tracking_error, i, "tracking_error");
    axes_.push_back({limits[i], dwell_ticks(limits[i].tracking_dwell, tick, i), 0});
  }
}

void SafetyGate::reset(const ActuatorVector& position) noexcept {
  for (Axis& axis : axes_) axis.ticks_above = 0;
  fault_ = {};
  if (!complete(position)) return;
  last_drive_ = position;
  rest();
}

bool SafetyGate::is_within_limits() noexcept {
  for (Eigen::Index i = 0; i < last_drive_.size() && !fault_; ++i)
    within(FaultKind::kDisplacementLimit, i, std::abs(last_drive_[i]),
           axes_[static_cast<std::size_t>(i)].limits.displacement);
  return !fault_;
}

bool SafetyGate::watch(const Measurement& sensed) noexcept {
  if (fault_) return false;
  if (!complete(sensed.displacement) || !complete(sensed.force)) return false;
  for (Eigen::Index i = 0; i < sensed.force_only.size(); ++i)
    if (!within(FaultKind::kNotFinite, kWholeSite, std::abs(sensed.force_only[i]),
                kLargest))
      return false;
  for (Eigen::Index i = 0; i < last_drive_.size(); ++i)
    if (!within(FaultKind::kForceLimit, i, std::abs(sensed.force[i]),
                axes_[static_cast<std::size_t>(i)].limits.force))
      return false;
  return true;
}

ActuatorVector SafetyGate::pass(const ActuatorVector& drive,
                                const Measurement& sensed) noexcept {
  if (!watch(sensed)) return last_drive_;
  for (Eigen::Index i = 0; i < last_drive_.size(); ++i)
    if (!follows(i, sensed.displacement[i])) return last_drive_;
  if (!complete(drive)) return last_drive_;
  for (Eigen::Index i = 0; i < last_drive_.size(); ++i)
    if (!allows(i, drive[i])) return last_drive_;
  drive_before_ = last_drive_;
  last_drive_ = drive;
  return drive;
}

void SafetyGate::save(SnapshotWriter& snapshot) const {
  snapshot.add(last_drive_);
  snapshot.add(drive_before_);
  for (const Axis& axis : axes_) snapshot.add(static_cast<double>(axis.ticks_above));
  trestle::safety::save(fault_, snapshot);
}

void SafetyGate::restore(SnapshotReader& snapshot) {
  snapshot.fill(last_drive_);
  snapshot.fill(drive_before_);
  for (Axis& axis : axes_) axis.ticks_above = static_cast<std::int64_t>(snapshot.next());
  trestle::safety::restore(fault_, snapshot);
}

/// One finite number for each actuator; a number that is missing is NaN.
bool SafetyGate::complete(const ActuatorVector& values) noexcept {
  if (values.size() != last_drive_.size())
    return within(FaultKind::kNotFinite, kWholeSite,
                  std::numeric_limits<double>::quiet_NaN(), kLargest);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!within(FaultKind::kNotFinite, i, std::abs(values[i]), kLargest)) return false;
  return true;
}

// Written so that a NaN fails: it compares false with everything.
bool SafetyGate::within(FaultKind kind, Eigen::Index actuator, double value,
                        double limit) noexcept {
  if (value <= limit) return true;
  fault_ = {kind, static_cast<int>(actuator), value, limit};
  return false;
}

bool SafetyGate::follows(Eigen::Index actuator, double measured) noexcept {
  Axis& axis = axes_[static_cast<std::size_t>(actuator)];
  const double error = std::abs(last_drive_[actuator] - measured);
  axis.ticks_above = error <= axis.limits.tracking_error ? 0 : axis.ticks_above + 1;
  if (axis.ticks_above <= axis.dwell_ticks) return true;
  return within(FaultKind::kTrackingError, actuator, error, axis.limits.tracking_error);
}

bool SafetyGate::allows(Eigen::Index actuator, double drive) noexcept {
  const ActuatorLimits& limits = axes_[static_cast<std::size_t>(actuator)].limits;
  const double last = last_drive_[actuator];
  const double rate = std::abs(drive - last) * ticks_per_second_;
  // In this order no difference of two infinities can arise, which would be a NaN.
  const double acceleration = std::abs(drive - 2.0 * last + drive_before_[actuator]) *
                              ticks_per_second_ * ticks_per_second_;
  return within(FaultKind::kDisplacementLimit, actuator, std::abs(drive),
                limits.displacement) &&
         within(FaultKind::kRateLimit, actuator, rate, limits.rate) &&
         within(FaultKind::kAccelerationLimit, actuator, acceleration, limits.acceleration);
}

}  // namespace trestle::safety
