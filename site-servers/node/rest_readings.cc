#include "site-servers/node/rest_readings.h"

namespace trestle::site_node {

bool RestReadings::tick(std::int64_t number) noexcept {
  const bool read = rig_.read(TimePoint{number * tick_}, sensed_) == AdapterStatus::kOk;
  if (read && is_sound())
    health_.read(sensed_, rig_.auxiliary_channels());
  else
    health_.forget();
  return true;
}

/// A rig that gives another number of values is not read beyond their end.
bool RestReadings::is_sound() const noexcept {
  return sensed_.displacement.size() == actuators_ && sensed_.force.size() == actuators_ &&
         sensed_.displacement.allFinite() && sensed_.force.allFinite() &&
         sensed_.force_only.allFinite();
}

}  // namespace trestle::site_node
