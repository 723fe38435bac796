#include "site-servers/safety/safe_ramp.h"

#include <algorithm>
#include <cmath>

namespace trestle::safety {
namespace {

// Peak rate is 3/2 of the mean: three quarters of the limit.
constexpr double kMeanOfRate = 0.5;
// Peak acceleration is 6·D/T²: three quarters of the limit.
constexpr double kMeanOfAcceleration = 0.125;
// A ramp ends, whatever the limits.
constexpr double kMostTicks = 1e9;

}  // namespace

SafeRamp::SafeRamp(const RigLimits& limits, double tick, double duration)
    : shortest_(std::clamp(std::ceil(duration / tick), 1.0, kMostTicks)),
      mean_change_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))),
      mean_bend_(mean_change_),
      from_(mean_change_) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto actuator = static_cast<Eigen::Index>(i);
    mean_change_[actuator] = kMeanOfRate * limits[i].rate * tick;
    mean_bend_[actuator] = kMeanOfAcceleration * limits[i].acceleration * tick * tick;
  }
}

void SafeRamp::start(const ActuatorVector& drive) noexcept {
  from_ = drive;
  double ticks = shortest_;
  for (Eigen::Index i = 0; i < drive.size(); ++i) {
    const double distance = std::abs(drive[i]);
    ticks = std::max(ticks, std::ceil(distance / mean_change_[i]));
    ticks = std::max(ticks, std::ceil(std::sqrt(distance / mean_bend_[i])));
  }
  ticks_ = static_cast<std::int64_t>(std::min(ticks, kMostTicks));
  tick_ = 0;
}

ActuatorVector SafeRamp::next() noexcept {
  tick_ = std::min(tick_ + 1, ticks_);
  if (tick_ == ticks_) return ActuatorVector::Zero(from_.size());
  const double s = static_cast<double>(tick_) / static_cast<double>(ticks_);
  return (1.0 - s) * (1.0 - s) * (1.0 + 2.0 * s) * from_;
}

bool SafeRamp::started() const noexcept {
  return ticks_ > 0;
}

bool SafeRamp::finished() const noexcept {
  return started() && tick_ >= ticks_;
}

template <typename Self, typename Archive>
void SafeRamp::visit(Self& self, Archive& archive) {
  archive(self.from_, self.tick_, self.ticks_);
}

void SafeRamp::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SafeRamp::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::safety
