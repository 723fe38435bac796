#include "adapters/simulated/sensor_noise.h"

#include <cmath>

namespace trestle::simulated {

void SensorNoiseGenerator::add(TimePoint now, Measurement& sensed) const noexcept {
  RandomKey place{.seed = run_.seed,
                  .stream = stream_,
                  .channel = 0,
                  .index = static_cast<std::uint64_t>(
                      std::llround(seconds(now.time_since_epoch()) / run_.tick))};
  for (Eigen::Index i = 0; i < noise_.displacement.size(); ++i) {
    place.channel = 2 * static_cast<std::uint64_t>(i);
    if (noise_.displacement[i] > 0.0)
      sensed.displacement[i] += noise_.displacement[i] * standard_normal(place);
    ++place.channel;
    if (noise_.force[i] > 0.0) sensed.force[i] += noise_.force[i] * standard_normal(place);
  }
}

}  // namespace trestle::simulated
