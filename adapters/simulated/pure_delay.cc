#include "adapters/simulated/pure_delay.h"

#include <cmath>

#include "core/math/stroke_acceleration.h"

namespace trestle::simulated {

void PureDelay::prepare(double tick) {
  // A delay that is meant as whole ticks must not miss them by the rounding of its unit.
  constexpr double kWhole = 1e-9;
  const double ticks = settings_.delay / tick;
  const double nearest = std::round(ticks);
  const bool is_whole = std::abs(ticks - nearest) <= kWhole * std::fmax(1.0, nearest);
  const double whole = is_whole ? nearest : std::floor(ticks);
  weight_of_earlier_ = is_whole ? 0.0 : ticks - whole;
  tick_ = tick;
  drives_.assign(static_cast<std::size_t>(whole) + 2, 0.0);
  newest_ = 0;
  displacement_ = 0.0;
  velocity_ = 0.0;
}

void PureDelay::advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept {
  const std::size_t size = drives_.size();
  newest_ = newest_ + 1 == size ? 0 : newest_ + 1;
  drives_[newest_] = drive(0);
  // In a ring of m + 2 the oldest, one past the newest, is m + 1 ticks back.
  const std::size_t earlier = newest_ + 1 == size ? 0 : newest_ + 1;
  const std::size_t later = earlier + 1 == size ? 0 : earlier + 1;
  double displacement = drives_[later];
  if (weight_of_earlier_ > 0.0)
    displacement += weight_of_earlier_ * (drives_[earlier] - drives_[later]);
  displacement *= settings_.gain;
  const double velocity = (displacement - displacement_) / tick_;
  stroke.displacement(0) = displacement;
  stroke.velocity(0) = velocity;
  stroke.acceleration(0) = math::acceleration_of_stroke({displacement_, velocity_},
                                                        {displacement, velocity}, tick_);
  displacement_ = displacement;
  velocity_ = velocity;
}

template <typename Self, typename Archive>
void PureDelay::visit(Self& self, Archive& archive) {
  archive(self.drives_, self.newest_, self.displacement_, self.velocity_);
}

void PureDelay::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void PureDelay::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
