#include "observe/live/limit_usage.h"

#include <cmath>

namespace trestle::live {
namespace {

UsedLimit& of(LimitUsage::Uses& uses, LimitKind kind) {
  return uses[static_cast<std::size_t>(kind)];
}

}  // namespace

const char* name(LimitKind kind) noexcept {
  switch (kind) {
    case LimitKind::kDisplacement:
      return "displacement";
    case LimitKind::kRate:
      return "rate";
    case LimitKind::kAcceleration:
      return "acceleration";
    case LimitKind::kForce:
      return "force";
    case LimitKind::kTrackingError:
      return "tracking error";
    case LimitKind::kEnergyError:
      return "energy error";
  }
  return "?";
}

LimitUsage::LimitUsage(const RigLimits& limits, double period)
    : rows_per_second_(1.0 / period), energy_(limits, period) {
  for (const ActuatorLimits& each : limits) {
    Axis axis;
    of(axis.now, LimitKind::kDisplacement).limit = each.displacement;
    of(axis.now, LimitKind::kRate).limit = each.rate;
    of(axis.now, LimitKind::kAcceleration).limit = each.acceleration;
    of(axis.now, LimitKind::kForce).limit = each.force;
    of(axis.now, LimitKind::kTrackingError).limit = each.tracking_error;
    of(axis.now, LimitKind::kEnergyError).limit = each.energy_error;
    axis.highest = axis.now;
    axes_.push_back(axis);
  }
}

void LimitUsage::add(const Row& row) {
  if (!is_complete(row)) return interrupt();
  energy_.add(row.target, row.measured, row.force);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    Axis& axis = axes_[i];
    const auto at = static_cast<Eigen::Index>(i);
    const double drive = row.drive[at];
    of(axis.now, LimitKind::kDisplacement).value = std::abs(drive);
    of(axis.now, LimitKind::kRate).value =
        drives_ >= 1 ? std::abs(drive - axis.last_drive) * rows_per_second_ : 0.0;
    of(axis.now, LimitKind::kAcceleration).value =
        drives_ >= 2 ? std::abs(drive - 2.0 * axis.last_drive + axis.drive_before) *
                           rows_per_second_ * rows_per_second_
                     : 0.0;
    of(axis.now, LimitKind::kForce).value = std::abs(row.force[at]);
    of(axis.now, LimitKind::kTrackingError).value = std::abs(drive - row.measured[at]);
    of(axis.now, LimitKind::kEnergyError).value = energy_.error(at);
    for (std::size_t kind = 0; kind < kLimitKinds; ++kind)
      if (axis.now[kind].value > axis.highest[kind].value)
        axis.highest[kind].value = axis.now[kind].value;
    axis.drive_before = axis.last_drive;
    axis.last_drive = drive;
  }
  if (drives_ < 2) ++drives_;
}

void LimitUsage::interrupt() noexcept {
  drives_ = 0;
  energy_.reset();
}

void LimitUsage::clear_highest() noexcept {
  for (Axis& axis : axes_)
    for (UsedLimit& use : axis.highest) use.value = 0.0;
}

bool LimitUsage::is_complete(const Row& row) const noexcept {
  const auto count = static_cast<Eigen::Index>(axes_.size());
  for (const ActuatorVector* values : {&row.target, &row.drive, &row.measured, &row.force})
    if (values->size() != count || !values->allFinite()) return false;
  return true;
}

}  // namespace trestle::live
