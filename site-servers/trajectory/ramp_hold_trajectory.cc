#include "site-servers/trajectory/ramp_hold_trajectory.h"

#include <algorithm>
#include <cmath>

namespace trestle::trajectory {
namespace {

// Peaks of the first and second derivative of 3s² − 2s³ over one second.
constexpr double kPeakRate = 1.5;
constexpr double kPeakAcceleration = 6.0;
// A ramp ends, whatever the distance.
constexpr double kMostTicks = 1e8;

int ticks_of(double duration, double tick) {
  return static_cast<int>(std::min(std::ceil(duration / tick * (1.0 - 1e-9)), kMostTicks));
}

}  // namespace

RampHoldTrajectory::RampHoldTrajectory(const InterfaceLayout& layout,
                                       const RampSettings& settings)
    : tick_length_(settings.tick),
      settle_(ticks_of(settings.settle, settings.tick)),
      average_(std::max(ticks_of(settings.average, settings.tick), 1)) {
  for (const InterfaceDof& dof : layout) {
    if (dof.role != DofRole::kControlled) continue;
    const bool rotation = dof.kind == DofKind::kRotation;
    rates_.push_back(
        std::min(rotation ? settings.rotation_rate : settings.rate, dof.rate_limit));
    accelerations_.push_back(dof.acceleration_limit);
  }
  from_ = to_ = InterfaceVector::Zero(static_cast<Eigen::Index>(rates_.size()));
  tick_ = settle_ + average_;
}

void RampHoldTrajectory::start(const InterfaceVector& displacement) noexcept {
  from_ = to_ = displacement;
  ramp_ = 0;
  tick_ = settle_ + average_;
}

void RampHoldTrajectory::aim(const InterfaceMotion& target, int /*ticks*/) noexcept {
  from_ = to_;
  to_ = target.displacement;
  double duration = 0.0;
  for (Eigen::Index i = 0; i < to_.size(); ++i) {
    const auto dof = static_cast<std::size_t>(i);
    const double way = std::abs(to_[i] - from_[i]);
    duration = std::max({duration, kPeakRate * way / rates_[dof],
                         std::sqrt(kPeakAcceleration * way / accelerations_[dof])});
  }
  ramp_ = std::max(ticks_of(duration, tick_length_), 1);
  tick_ = 0;
}

InterfaceMotion RampHoldTrajectory::next() noexcept {
  InterfaceMotion target = InterfaceMotion::zero(to_.size());
  target.displacement = to_;
  if (arrived()) return target;
  ++tick_;
  if (tick_ >= ramp_) return target;
  const double s = static_cast<double>(tick_) / ramp_;
  target.displacement = from_ + s * s * (3.0 - 2.0 * s) * (to_ - from_);
  return target;
}

void RampHoldTrajectory::hold() noexcept {
  if (arrived()) return;
  if (tick_ < ramp_) {
    const double s = static_cast<double>(tick_) / ramp_;
    to_ = from_ + s * s * (3.0 - 2.0 * s) * (to_ - from_);
  }
  start(to_);
}

template <typename Self, typename Archive>
void RampHoldTrajectory::visit(Self& self, Archive& archive) {
  archive(self.from_, self.to_, self.ramp_, self.tick_);
}

void RampHoldTrajectory::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void RampHoldTrajectory::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
