#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "site-servers/checks/minimum_jerk_profile.h"

namespace trestle::site_node {

/// A way of all actuators together, on one straight line from rest to rest, with minimum
/// jerk (checks::MinimumJerkProfile). Nowhere is an actuator faster than its stated rate,
/// or than half of its limits of rate and acceleration.
class RigPath {
 public:
  static constexpr double kShortest = 0.5;  ///< [s], however short the way
  /// Of a limit, what a path uses at most.
  static constexpr double kShareOfLimit = 0.5;

  /// @param from, to  one entry per actuator [m | rad]
  /// @param rate      peak of each actuator [m/s | rad/s], > 0
  /// @param limits    one per actuator
  /// @param tick      control tick δt [s], > 0
  RigPath(const ActuatorVector& from, const ActuatorVector& to, const ActuatorVector& rate,
          RigLimits limits, double tick)
      : from_(from), to_(to) {
    for (Eigen::Index i = 0; i < from.size(); ++i) {
      ActuatorLimits& limit = limits[static_cast<std::size_t>(i)];
      limit.rate = std::min(limit.rate, rate[i] / kShareOfLimit);
      const checks::MinimumJerkProfile alone(std::abs(to[i] - from[i]), limit, tick,
                                             kShortest);
      if (alone.ticks() > profile_.ticks()) profile_ = alone;
    }
  }

  const ActuatorVector& from() const noexcept { return from_; }
  const ActuatorVector& to() const noexcept { return to_; }
  std::int64_t ticks() const noexcept { return profile_.ticks(); }

  /// Returns the drives after this number of ticks; from ticks() on exactly to().
  ActuatorVector at(std::int64_t tick) const noexcept {
    if (tick >= ticks()) return to_;
    return from_ + profile_.part(tick) * (to_ - from_);
  }

 private:
  ActuatorVector from_;
  ActuatorVector to_;
  checks::MinimumJerkProfile profile_;
};

}  // namespace trestle::site_node
