#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/types/message.h"

namespace trestle::integrator_node {

/// The noise that a rig simulated in this process adds to what its transducers read: a
/// function of seed, site, channel and tick, so that the evaluation of a run knows it
/// (SimulatedRig). The test itself never subtracts it.
struct KnownSensorNoise {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;            ///< stream_id(site)
  double tick = 0.0;                   ///< δt [s]
  std::vector<double> displacement{};  ///< per actuator [m | rad]
  std::vector<double> force{};         ///< per actuator [N | N·m]

  /// @param at  session time of the read
  double of_displacement(std::size_t actuator, TimePoint at) const noexcept {
    return value(displacement, actuator, 2 * actuator, at);
  }
  double of_force(std::size_t actuator, TimePoint at) const noexcept {
    return value(force, actuator, 2 * actuator + 1, at);
  }

 private:
  double value(const std::vector<double>& deviations, std::size_t actuator,
               std::size_t channel, TimePoint at) const noexcept {
    if (actuator >= deviations.size() || deviations[actuator] == 0.0) return 0.0;
    const auto index =
        static_cast<std::uint64_t>(std::llround(seconds(at.time_since_epoch()) / tick));
    return deviations[actuator] *
           standard_normal(
               {.seed = seed, .stream = stream, .channel = channel, .index = index});
  }
};

}  // namespace trestle::integrator_node
