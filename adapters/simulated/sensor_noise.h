#pragma once

#include <cstdint>
#include <string>

#include "adapters/simulated/simulated_rig.h"

namespace trestle::simulated {

/// The noise of a rig's transducers, as SimulatedRig has it without published sequences: a
/// function of the run's seed, the site's name, the channel and the tick.
class SensorNoiseGenerator {
 public:
  /// @param site   its name: makes its noise its own
  /// @param noise  empty vectors, or one value per actuator
  SensorNoiseGenerator(const std::string& site, const SensorNoise& noise)
      : noise_(noise), stream_(stream_id(site)) {}

  void prepare(const RigRun& run) { run_ = run; }

  /// @param now  session time of the read
  void add(TimePoint now, Measurement& sensed) const noexcept;

 private:
  SensorNoise noise_;
  std::uint64_t stream_;
  RigRun run_;
};

}  // namespace trestle::simulated
