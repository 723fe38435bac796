#include "site-servers/node/rest_readings.h"

namespace trestle::site_node {

bool RestReadings::tick(std::int64_t number) noexcept {
  const bool read = rig_.read(TimePoint{number * tick_}, sensed_) == AdapterStatus::kOk;
  if (read && sensed_.displacement.allFinite() && sensed_.force.allFinite() &&
      sensed_.force_only.allFinite())
    health_.read(sensed_, rig_.auxiliary_channels());
  else
    health_.forget();
  return true;
}

}  // namespace trestle::site_node
