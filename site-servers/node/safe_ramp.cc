#include "site-servers/node/safe_ramp.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trestle {
namespace {

// The smooth step's peak rate is 3/2 of its mean; half leaves a quarter to spare.
constexpr double kMeanOfLimit = 0.5;
// Whatever the limits: a ramp ends.
constexpr double kMostTicks = 1e9;

}  // namespace

SafeRamp::SafeRamp(const RigLimits& limits, double tick, double duration)
    : shortest_(std::clamp(std::ceil(duration / tick), 1.0, kMostTicks)),
      mean_change_(static_cast<Eigen::Index>(limits.size())),
      from_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))) {
  for (std::size_t i = 0; i < limits.size(); ++i)
    mean_change_[static_cast<Eigen::Index>(i)] = kMeanOfLimit * limits[i].rate * tick;
}

void SafeRamp::start(const ActuatorVector& drive) noexcept {
  assert(drive.size() == from_.size());
  from_ = drive;
  double ticks = shortest_;
  for (Eigen::Index i = 0; i < drive.size(); ++i)
    ticks = std::max(ticks, std::ceil(std::abs(drive[i]) / mean_change_[i]));
  ticks_ = static_cast<std::int64_t>(std::min(ticks, kMostTicks));
  tick_ = 0;
}

ActuatorVector SafeRamp::next() noexcept {
  assert(started());
  tick_ = std::min(tick_ + 1, ticks_);
  if (tick_ == ticks_) return ActuatorVector::Zero(from_.size());
  const double s = static_cast<double>(tick_) / static_cast<double>(ticks_);
  return (1.0 - s) * (1.0 - s) * (1.0 + 2.0 * s) * from_;
}

}  // namespace trestle
