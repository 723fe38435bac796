#include "site-servers/trajectory/coasting_stop.h"

#include <algorithm>
#include <cmath>

namespace trestle::trajectory {
namespace {

constexpr double kStopTime = 0.02;           // [s]
constexpr double kShareOfBrake = 0.5;        // of the limit of acceleration
constexpr double kShareOfRoom = 1.0 - 1e-9;  // of the limit of displacement, for rounding
// A way of one tick below this is rest [m | rad].
constexpr double kAtRest = 1e-12;

}  // namespace

CoastingStop::CoastingStop(const RigLimits& limits, double tick)
    : limits_(limits),
      tick_(tick),
      kept_(std::exp(-tick / kStopTime)),
      way_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))) {}

/// How much of the velocity the slowest brake leaves, or the nearest limit of displacement.
double CoastingStop::part_that_is_kept(const ActuatorVector& before) const noexcept {
  double braked = kept_;
  double most = 1.0;
  for (Eigen::Index i = 0; i < before.size(); ++i) {
    const ActuatorLimits& limits = limits_[static_cast<std::size_t>(i)];
    const double last = std::abs(way_[i]);
    if (!(last > 0.0)) continue;
    const double brake = kShareOfBrake * limits.acceleration * tick_ * tick_;
    braked = std::max(braked, 1.0 - brake / last);
    // With this part of what is left, at every tick, it ends at the limit.
    const double left =
        kShareOfRoom * limits.displacement - std::copysign(1.0, way_[i]) * before[i];
    most = std::min(most, left > 0.0 ? 1.0 / (1.0 + last / left) : 0.0);
  }
  return std::min(braked, most);
}

ActuatorVector CoastingStop::next(const ActuatorVector& before) noexcept {
  way_ *= part_that_is_kept(before);
  // Also where it is no number.
  if (!way_.allFinite() || !(way_.cwiseAbs().maxCoeff() > kAtRest)) way_.setZero();
  if (way_.isZero(0.0)) return before;
  return before + way_;
}

}  // namespace trestle::trajectory
