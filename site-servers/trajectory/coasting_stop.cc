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

ActuatorVector CoastingStop::next(const ActuatorVector& before) noexcept {
  ActuatorVector command = before;
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const ActuatorLimits& limits = limits_[static_cast<std::size_t>(i)];
    const double last = std::abs(way_[i]);
    const double brake = kShareOfBrake * limits.acceleration * tick_ * tick_;
    double way = std::max(kept_ * last, last - brake);
    // With this part of what is left, at every tick, it ends at the limit.
    const double left =
        kShareOfRoom * limits.displacement - std::copysign(1.0, way_[i]) * before[i];
    way = std::min(way, left > 0.0 ? last / (1.0 + last / left) : 0.0);
    // Also where it is no number.
    if (!(way > kAtRest)) way = 0.0;
    way_[i] = std::copysign(way, way_[i]);
    if (way > 0.0) command[i] += way_[i];
  }
  return command;
}

}  // namespace trestle::trajectory
